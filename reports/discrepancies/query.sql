-- Everything that someone must act on, worst first: what is open before what was decided or has resolved itself, then
-- by severity and age.
--
-- Expected is the side of the orders, the contract or the arithmetic, actual the provider's, difference actual less
-- expected.
select
  discrepancy_id, type, severity, state, provider, account, order_id, payment_id, record_id, currency,
  expected_minor, actual_minor, difference_minor, first_seen, last_seen, age_days, owner, explanation, suggested_action,
    decision, note, '' as status
from discrepancy
order by
  case state when 'new' then 0 when 'persisting' then 0 when 'acknowledged' then 1 when 'written_off' then 2 else 3 end,
  case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  since, type, discrepancy_id
