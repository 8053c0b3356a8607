-- What became of the discrepancies in the range, by severity and type: open before + opened - cleared = open at the end.
select severity, type,
  cast(sum(was_open) as bigint) as opening,
  cast(sum(case when was_open = 0 then 1 else 0 end) as bigint) as opened,
  cast(sum(case when is_open = 0 then 1 else 0 end) as bigint) as cleared,
  cast(sum(is_open) as bigint) as closing,
  cast(sum(case when was_open = 0 and is_open = 0 then 1 else 0 end) as bigint) as came_and_went
from (
  select severity, type, case when condition = 'new' then 0 else 1 end as was_open,
    case when condition = 'resolved' then 0 else 1 end as is_open
  from discrepancy
  union all
  select severity, type, 0, 0
  from passed_discrepancy
) d
group by severity, type
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, type
