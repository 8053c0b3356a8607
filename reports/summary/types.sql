-- Count and amount of the open discrepancies per type, severity and currency; the amount is the sum of what the sides
-- differ by, without sign.
select
  type, severity, currency, count(*) as cases, cast(sum(abs(coalesce(difference_minor,
    0))) as bigint) as difference_minor
from discrepancy
where state in ('new', 'persisting')
group by type, severity, currency
order by case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end,
  severity, type, currency
