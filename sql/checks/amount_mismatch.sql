-- Order {order_id} is due {expected} and payment {payment_id} captured {actual}: a difference of {difference}.
--
-- Why it matters: the customer paid too much or too little, or the order was changed after it was paid.
-- What clears it: an order whose tender is what was captured, or a further capture or order that closes the difference.
-- Suggested action: Finance: compare the order with the capture; Operations: refund or collect the difference, or
-- correct the order.
-- Severity: high
-- Rests on: orders matches
-- Also reads: payments

-- Where less was captured than is due, the match itself waits for the provider's payments; what was captured beyond it
-- stays so whatever is still unread there.
with side as (
  select p.moment, p.group_id,
    min(coalesce(t.connected_account, o.seller_account)) as first_account,
    max(coalesce(t.connected_account, o.seller_account)) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  left join customer_order o on o.order_id = p.order_id
  left join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'amount_mismatch'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, g.order_currency, '') as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor,
  g.since, case when s.first_account = s.last_account then s.first_account else '' end as connected_account
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
where g.finding = 'amount_mismatch'
order by g.moment, g.group_id
