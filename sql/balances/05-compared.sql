-- The instant since which movements count for the comparison of two stated balances, at either end of the range: the
-- older statement's, or that of the pull that brought it. The statements are those of proof 4 and of balance_mismatch.
-- Beside it, until when: a statement for a range is made after its end, as is the first one where the range is older.
with statement as (
  select b.provider, b.account, b.landed_file, b.observed_at, max(b.range_to) as range_to,
    max(f.observed_at) as pulled_at
  from stated_balance b
  join landed_file f on f.file_id = b.landed_file
  join known k on k.source = b.provider and k.subject = 'ledger' and k.is_complete = 1 and k.is_asked = 1
  where f.complete = 1
  group by b.provider, b.account, b.landed_file, b.observed_at
  having min(b.is_settled) = 1
),
newest as (
  select m.moment, s.provider, s.account, s.observed_at, s.range_to,
    row_number() over (partition by m.moment, s.provider, s.account order by s.range_to desc,
      s.landed_file desc) as place
  from statement s
  join moment m on s.range_to <= m.instant
),
compared as (
  select s.observed_at, s.pulled_at,
    row_number() over (partition by n.moment, n.provider, n.account order by s.range_to desc,
      s.landed_file desc) as place
  from newest n
  join statement s on s.provider = n.provider and s.account = n.account and s.range_to < n.range_to
    and s.observed_at < n.observed_at
  where n.place = 1
)
select min(least_of(observed_at, pulled_at)),
  (
    select max(s.at)
    from (
      select b.observed_at as at
      from stated_balance b
      join moment m on m.moment = 1 and b.range_to <= m.instant
      union all
      select at from balance_base
    ) s
  )
from compared
where place = 1
