-- Order {order_id} is {order_status} with {expected} due, and {failed} of payment {payment_id} failed later: {actual}
-- remains captured.
--
-- Why it matters: a bank debit or other asynchronous payment bounced after the order was served: the platform carries
-- the loss.
-- What clears it: a new capture for the order, or the order being cancelled.
-- Suggested action: Operations: ask the customer to pay again or cancel the order; Engineering: let the order system
-- follow late failures.
-- Severity: critical
-- Rests on: nothing
-- Also reads: payments ledger orders
with payment as (
  select p.moment, p.group_id, p.flow_key, t.failed_minor, t.failed_at, t.connected_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'payment_failed_after_paid'
  group by p.moment, p.group_id, p.flow_key, t.failed_minor, t.failed_at, t.connected_account
),
side as (
  select moment, group_id, cast(sum(failed_minor) as bigint) as failed_minor, max(failed_at) as failed_at,
    min(connected_account) as first_account, max(connected_account) as last_account
  from payment
  group by moment, group_id
),
orders as (
  select p.moment, p.group_id, min(o.status) as first_status, max(o.status) as last_status
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join customer_order o on o.order_id = p.order_id
  where g.finding = 'payment_failed_after_paid'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, g.order_currency, '') as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor,
  g.since, case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  s.failed_minor, s.failed_at as bounced_at,
  case when o.first_status = o.last_status then o.first_status
    else o.first_status || ' or ' || o.last_status end as order_status
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
join orders o on o.moment = g.moment and o.group_id = g.group_id
where g.finding = 'payment_failed_after_paid'
order by g.moment, g.group_id
