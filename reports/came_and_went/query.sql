-- What nights of the range reported as open, and what was open neither before the range nor at its end; worst first.
select severity, type, provider, order_id, payment_id, currency, difference_minor, first_seen, last_seen, explanation,
  discrepancy_id
from passed_discrepancy
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, type, first_seen, discrepancy_id
