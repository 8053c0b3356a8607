-- Orders {order_id} ({expected} due) and payments {payment_id} ({actual} captured) can be matched in more than one way;
-- none was chosen.
--
-- Why it matters: one of these orders or payments is open, and a choice made by the program could be the wrong one.
-- What clears it: references that leave one way only, or an order or capture that makes the sums of the group equal.
-- Suggested action: Finance: decide which order each payment belongs to; Engineering: correct the reference that names
-- the wrong order.
-- Severity: medium
-- Rests on: payments
-- Also reads: orders
with side as (
  select p.moment, p.group_id, min(o.currency) as currency,
    min(coalesce(t.connected_account, o.seller_account)) as first_account,
    max(coalesce(t.connected_account, o.seller_account)) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  left join customer_order o on o.order_id = p.order_id
  left join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'ambiguous_match'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, g.order_currency, s.currency, '') as currency,
  g.tender_minor as expected_minor, g.captured_minor as actual_minor, g.since,
  case when s.first_account = s.last_account then s.first_account else '' end as connected_account
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
where g.finding = 'ambiguous_match'
order by g.moment, g.group_id
