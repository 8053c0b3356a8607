-- Order {order_id} is due {expected}, and {captures} captures ({payment_id}) total {actual}: {difference} more than is
-- due.
--
-- Why it matters: the customer paid more than once for one order and will ask for the money back, or dispute it with a
-- fee.
-- What clears it: a decision, once the surplus payment is refunded: the refund alone does not, since both captures
-- remain.
-- Suggested action: Operations: refund the surplus payment at the provider; Engineering: find out why checkout charged
-- again.
-- Severity: critical
-- Rests on: nothing
-- Also reads: payments orders
with side as (
  select p.moment, p.group_id, count(distinct t.flow_key) as captures,
    min(t.connected_account) as first_account, max(t.connected_account) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key and t.captured_minor > 0
  where g.finding = 'duplicate_payment'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, g.order_currency, '') as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor,
  g.since, case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  cast(s.captures as text) as captures
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
where g.finding = 'duplicate_payment'
order by g.moment, g.group_id
