-- The orders record refunds of {expected} for order {order_id}, and {provider} refunded {actual} of payment
-- {payment_id}: a difference of {difference}.
--
-- Why it matters: the customer was refunded another amount than promised, or the orders record another amount than was
-- paid.
-- What clears it: a refund of the difference, or an order refund with the amount that the provider paid.
-- Suggested action: Finance: compare both refunds; Operations: refund the rest at the provider, or correct the order's
-- refund.
-- Severity: high
-- Rests on: refunds order_refunds matches
-- Also reads: payments orders

-- Both sides have a refund for each other, so there is no waiting period: it is open from when both were present.
-- Not raised where only a failed or pending refund can be compared (refund_failed, refund_pending), where refunds
-- exceed the capture (over_refunded), and where only the order's status records the refund and the payment was refunded
-- in full. Silent too while the rest of the order may be at a provider that was not read that far: the rest of the
-- refund may be there.
with differing as (
  select r.moment, m.instant, r.group_id, r.side, r.refund_id, r.provider, r.currency, r.amount_minor, r.happened_at,
    case when r.unit = '' then null else r.flow_key end as flow_key, k.known_until, o.known_until as orders_until,
      o.is_asked,
    case when r.unit = '' then r.group_id else r.flow_key end || ':' || r.currency as subject,
    case when r.side = 'provider' and r.status = 'succeeded' then 1 else 0 end as is_paid
  from refund_match_at r
  join moment m on m.moment = r.moment
  join known k on k.source = r.provider and k.subject = 'refunds'
  join known o on o.source = '' and o.subject = 'order_refunds'
  where r.outcome = 'differs' and r.is_covered = 1
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id, side) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id, side
      rows between unbounded preceding and unbounded following) as ids
  from differing
),
summed as (
  select moment, instant, subject, group_id, flow_key, min(provider) as provider, currency,
    min(known_until) as known_until, orders_until, is_asked,
    cast(sum(case when side = 'order' then amount_minor else 0 end) as bigint) as order_minor,
    cast(sum(case when side = 'order' then 0 else amount_minor end) as bigint) as provider_minor,
    greatest_of(min(case when side = 'order' then happened_at end),
      min(case when side = 'provider' then happened_at end)) as since
  from differing
  group by moment, instant, subject, group_id, flow_key, currency, orders_until, is_asked
  having max(is_paid) = 1
),
over_paid as (
  select p.moment, p.group_id
  from pair_at p
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key and t.refunded_minor > t.captured_minor
  group by p.moment, p.group_id
)
select s.moment, s.subject, s.provider, g.account, g.order_ids as order_id,
  coalesce(t.payment_id, g.payment_ids) as payment_id,
  l.ids as record_id, s.currency, s.order_minor as expected_minor, s.provider_minor as actual_minor, s.since,
  coalesce(t.connected_account, '') as connected_account
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join group_at g on g.moment = s.moment and g.group_id = s.group_id
join known a on a.source = '' and a.subject = 'payments'
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join over_paid o on o.moment = s.moment and o.group_id = s.group_id
where o.group_id is null and s.since < s.instant and s.since <= s.known_until
  and (s.is_asked = 0 or s.since <= s.orders_until)
  and not (s.is_asked = 0 and s.provider_minor = g.captured_minor)
  and (g.match_status <> 'pending' or g.finding <> 'none' or g.since <= a.known_until
    or s.provider_minor > s.order_minor)
order by s.moment, s.subject
