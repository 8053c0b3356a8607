-- How many open discrepancies each owner has; those of nobody last.
select owner, count(*) as cases
from discrepancy
where state in ('new', 'persisting')
group by owner
order by case owner when '' then 1 else 0 end, owner
