-- How many discrepancies there are of each severity, by state.
select
  severity,
  cast(sum(case when state = 'new' then 1 else 0 end) as bigint) as new_ones,
  cast(sum(case when state = 'persisting' then 1 else 0 end) as bigint) as persisting,
  cast(sum(case when state in ('acknowledged', 'written_off') then 1 else 0 end) as bigint) as decided,
  cast(sum(case when state = 'resolved' then 1 else 0 end) as bigint) as resolved
from discrepancy
group by severity
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity
