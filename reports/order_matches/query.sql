-- Every order placed in the range and every payment active in it, as pairs: which order was paid by which payment, and
-- whether the sums agree.
--
-- One row per pair of a group; status and difference are the group's, on each of its rows. Captured and refunded are
-- the payment's own, in the currency the customer saw; a side that is not there counts as zero. $1 is the range's first
-- instant, $2 its end.
with
  active as (
    select flow_key from flow where moment = 1 and in_range = 1
    union
    select flow_key from payment_at where moment = 1 and captured_at >= $1 and captured_at < $2
  ),
  repaid as (
    select r.order_id, cast(sum(r.amount_minor) as bigint) as refunded_minor
    from order_refund r
    join customer_order o on o.order_id = r.order_id and o.currency = r.currency
    where r.refunded_at < $2
    group by r.order_id
  )
select
  coalesce(pair.order_id, '') as order_id, coalesce(o.status, '') as order_status,
    coalesce(o.currency, p.currency) as currency,
  coalesce(o.total_minor, 0) as order_total_minor,
  coalesce(p.provider, g.provider) as provider, coalesce(p.account, g.account) as account,
    coalesce(p.payment_id, '') as payment_id,
  g.match_status, coalesce(pair.rule, '') as rule,
  coalesce(p.captured_minor, 0) as captured_minor, coalesce(p.refunded_minor, 0) as refunded_minor,
  coalesce(p.currency, o.currency) as payment_currency,
  coalesce(s.refunded_minor, 0) as order_refunded_minor, g.difference_minor,
    coalesce(o.tender_minor, 0) as tender_minor, g.group_id,
  coalesce(d.discrepancy_id, e.discrepancy_id, '') as discrepancy_id, o.placed_at
from pair_at pair
join group_at g on g.moment = pair.moment and g.group_id = pair.group_id
left join customer_order o on o.order_id = pair.order_id
left join payment_at p on p.moment = pair.moment and p.flow_key = pair.flow_key
left join active a on a.flow_key = pair.flow_key
left join repaid s on s.order_id = pair.order_id
left join order_discrepancy d on d.order_id = pair.order_id
left join payment_discrepancy e on e.flow_key = pair.flow_key and pair.order_id is null
where pair.moment = 1 and (a.flow_key is not null or (o.placed_at >= $1 and o.placed_at < $2))
order by pair.order_id nulls last, p.provider nulls first, p.payment_id nulls first, g.group_id
