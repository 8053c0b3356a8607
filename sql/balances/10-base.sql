-- The first two statements of each account that were made while nothing moved, in the order in which they were read.
-- The balance of an account is counted from the first: what the entries show before it is subtracted, so that the
-- balance is right wherever the range lies.
select s.provider, s.account, s.landed_file, s.observed_at, s.pulled_at, s.place
from (
  select b.provider, b.account, b.landed_file, b.observed_at, max(f.observed_at) as pulled_at,
    row_number() over (partition by b.provider, b.account order by b.landed_file, b.observed_at) as place
  from stated_balance b
  join landed_file f on f.file_id = b.landed_file
  group by b.provider, b.account, b.landed_file, b.observed_at
  having min(b.is_settled) = 1
) s
where s.place <= 2
order by s.provider, s.account, s.place
