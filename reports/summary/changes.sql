-- What is different from the day before the range: how many discrepancies of each type began in it, and how many are
-- gone; worst first.
select
  type, severity, cast(sum(case when state = 'new' then 1 else 0 end) as bigint) as new_ones,
  cast(sum(case when state = 'resolved' then 1 else 0 end) as bigint) as resolved
from discrepancy
where state in ('new', 'resolved')
group by type, severity
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, type
