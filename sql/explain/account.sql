-- What moved on an account up to the range's end, by kind and currency, and the balances that its provider stated last.
-- $1: provider, $2: account, $3: the party whose money it is, as entries name it.
select s.happened_at, s.kind, s.id, s.currency, s.amount_minor, s.word, s.path, s.line
from (
  select max(e.booked_at) as happened_at, e.kind, '' as id, e.currency,
    cast(sum(case when e.to_party = $3 then e.amount_minor else -e.amount_minor end) as bigint) as amount_minor,
    case count(*) when 1 then '1 entry' else cast(count(*) as text) || ' entries, the last of them then' end as word,
      '' as path, 0 as line
  from entry e
  join moment m on m.moment = 1 and e.booked_at < m.instant
  where e.provider = $1 and (e.account = $2 or $3 <> 'platform') and (e.from_party = $3 or e.to_party = $3)
  group by e.kind, e.currency
  union all
  select b.observed_at, 'stated balance', '', b.currency, b.amount_minor, 'the provider''s last word', f.path, 0
  from stated_balance b
  join moment m on m.moment = 1 and b.observed_at <= m.instant
  left join landed_file f on f.file_id = b.landed_file
  where b.provider = $1 and b.account = $2 and $3 = 'platform' and not exists (
    select 1 from stated_balance n
    where n.provider = b.provider and n.account = b.account and n.currency = b.currency
      and n.observed_at > b.observed_at
      and n.observed_at <= m.instant)
) s
order by s.currency, s.kind, s.happened_at
