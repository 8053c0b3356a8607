-- Order {order_id}, placed {placed}, is {order_status} with {expected} due, and no capture refers to it.
--
-- Why it matters: the order was not paid: the goods may have been delivered, and the customer is not charged.
-- What clears it: a capture that refers to the order, or the order being cancelled.
-- Suggested action: Operations: look the order up at the provider: charge the customer again, or cancel the order.
-- Severity: high
-- Rests on: payments
-- Also reads: orders
with side as (
  select p.moment, p.group_id, min(o.status) as first_status, max(o.status) as last_status,
    min(o.placed_at) as placed_at,
    min(o.currency) as currency, min(o.seller_account) as first_account, max(o.seller_account) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join customer_order o on o.order_id = p.order_id
  where g.finding = 'missing_payment'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.order_currency, s.currency) as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor, g.since,
  case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  case when s.first_status = s.last_status then s.first_status
    else s.first_status || ' or ' || s.last_status end as order_status,
  s.placed_at
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
where g.finding = 'missing_payment'
order by g.moment, g.group_id
