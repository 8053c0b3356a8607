-- The three open discrepancies to look at first: by severity, then by what the sides differ by in minor units, then the
-- oldest.
select
  discrepancy_id, severity, type, state, explanation
from discrepancy
where state in ('new', 'persisting')
order by
  case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  abs(coalesce(difference_minor, 0)) desc, since, type, discrepancy_id
limit 3
