-- How long the open discrepancies have been open, per type: counts by age in days to the range's last day.
select
  severity, type, count(*) as cases,
  cast(sum(case when age_days <= 1 then 1 else 0 end) as bigint) as days_1,
  cast(sum(case when age_days between 2 and 7 then 1 else 0 end) as bigint) as days_7,
  cast(sum(case when age_days between 8 and 30 then 1 else 0 end) as bigint) as days_30,
  cast(sum(case when age_days between 31 and 90 then 1 else 0 end) as bigint) as days_90,
  cast(sum(case when age_days > 90 then 1 else 0 end) as bigint) as days_more,
  cast(sum(case when owner = '' then 1 else 0 end) as bigint) as without_owner,
  max(age_days) as oldest
from discrepancy
where state in ('new', 'persisting')
group by severity, type
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, type
