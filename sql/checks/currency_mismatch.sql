-- Order {order_id} is due {expected} and payment {payment_id} captured {captured}: the currencies differ, so the
-- amounts are not compared.
--
-- Why it matters: the customer was charged in another currency than the order's, often by the same number.
-- What clears it: an order in the currency of the capture, or a capture in the currency of the order.
-- Suggested action: Engineering: find out which side has the wrong currency; Operations: refund and charge again, or
-- correct the order.
-- Severity: high
-- Rests on: nothing
-- Also reads: payments orders

-- One row per group in the order's currency; the capture's amount is shown separately, because two currencies never
-- share one difference. A side that itself has several currencies shows the sum in the first of them.
with placed as (
  select p.moment, p.group_id, p.order_id, o.currency, o.seller_account,
    case when o.status in ('pending', 'cancelled') then 0 else o.tender_minor end as amount_minor
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join customer_order o on o.order_id = p.order_id
  where g.finding = 'currency_mismatch'
  group by p.moment, p.group_id, p.order_id, o.currency, o.seller_account, o.status, o.tender_minor
),
taken as (
  select p.moment, p.group_id, p.flow_key, t.currency, t.connected_account, t.captured_minor as amount_minor
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'currency_mismatch'
  group by p.moment, p.group_id, p.flow_key, t.currency, t.connected_account, t.captured_minor
),
order_side as (
  select moment, group_id, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(seller_account) as first_account, max(seller_account) as last_account,
    row_number() over (partition by moment, group_id order by currency) as position
  from placed
  group by moment, group_id, currency
),
payment_side as (
  select moment, group_id, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(connected_account) as first_account, max(connected_account) as last_account,
    row_number() over (partition by moment, group_id order by currency) as position
  from taken
  group by moment, group_id, currency
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  o.currency, o.amount_minor as expected_minor, cast(null as bigint) as actual_minor, g.since,
  case
    when t.first_account is not null then case when t.first_account = t.last_account then t.first_account else '' end
    when o.first_account = o.last_account then o.first_account
    else ''
  end as connected_account,
  t.currency as captured_currency, t.amount_minor as captured_minor
from group_at g
join order_side o on o.moment = g.moment and o.group_id = g.group_id and o.position = 1
join payment_side t on t.moment = g.moment and t.group_id = g.group_id and t.position = 1
where g.finding = 'currency_mismatch'
order by g.moment, g.group_id
