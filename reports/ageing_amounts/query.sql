-- What the open discrepancies differ by, without signs, per severity and currency: amounts by age in days to the range's
-- last day. One without a difference has no amount.
select
  severity, currency,
  cast(sum(case when age_days <= 1 then abs(difference_minor) else 0 end) as bigint) as days_1_minor,
  cast(sum(case when age_days between 2 and 7 then abs(difference_minor) else 0 end) as bigint) as days_7_minor,
  cast(sum(case when age_days between 8 and 30 then abs(difference_minor) else 0 end) as bigint) as days_30_minor,
  cast(sum(case when age_days between 31 and 90 then abs(difference_minor) else 0 end) as bigint) as days_90_minor,
  cast(sum(case when age_days > 90 then abs(difference_minor) else 0 end) as bigint) as days_more_minor,
  cast(sum(abs(difference_minor)) as bigint) as amount_minor
from discrepancy
where state in ('new', 'persisting') and difference_minor is not null and currency <> ''
group by severity, currency
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, currency
