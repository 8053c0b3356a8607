-- The balance of an account in the range: what it began with, what moved, by column of the roll-forward, what it ended
-- with, and what its provider stated last. An account whose balance another one holds has its captures instead. $1:
-- provider, $2: account, $3: platform or connected.
select s.happened_at, s.kind, s.id, s.currency, s.amount_minor, s.word, s.path, s.line
from (
  select m.instant as happened_at, case m.moment when 0 then 'opening' else 'closing' end as kind, '' as id,
    b.currency, b.amount_minor, '' as word, '' as path, 0 as line, m.moment * 2 as place
  from balance_at b
  join moment m on m.moment = b.moment
  where b.provider = $1 and b.scope = $3 and case $3 when 'platform' then b.account else b.connected_account end = $2
  union all
  select null, r.figure, '', r.currency, r.amount_minor, 'in the range, as on the sheet Roll-forward', '', 0, 1
  from range_movement r
  where r.provider = $1 and r.scope = $3 and case $3 when 'platform' then r.account else r.connected_account end = $2
  union all
  select b.observed_at, 'stated balance', '', b.currency, b.amount_minor, 'the provider''s last word', f.path, 0, 3
  from stated_balance b
  join moment m on m.moment = 1 and b.observed_at <= m.instant
  left join landed_file f on f.file_id = b.landed_file
  where b.provider = $1 and b.account = $2 and $3 = 'platform' and not exists (
    select 1 from stated_balance n
    where n.provider = b.provider and n.account = b.account and n.currency = b.currency
      and n.observed_at > b.observed_at
      and n.observed_at <= m.instant)
  union all
  select max(e.happened_at), 'captures', '', e.currency, cast(sum(e.amount_minor) as bigint),
    'in the range; another account holds the balance', '', 0, 1
  from record_event e
  join moment o on o.moment = 0 and e.happened_at >= o.instant
  join moment c on c.moment = 1 and e.happened_at < c.instant
  where e.provider = $1 and e.account = $2 and $3 = 'platform' and e.subject = 'payment' and e.state = 'captured'
    and not exists (select 1 from balance_at b where b.provider = $1 and b.scope = 'platform' and b.account = $2)
  group by e.currency
  union all
  select max(e.happened_at), 'last capture', '', e.currency, null, 'another account holds the balance', '', 0, 2
  from record_event e
  join moment c on c.moment = 1 and e.happened_at < c.instant
  where e.provider = $1 and e.account = $2 and $3 = 'platform' and e.subject = 'payment' and e.state = 'captured'
    and not exists (select 1 from balance_at b where b.provider = $1 and b.scope = 'platform' and b.account = $2)
  group by e.currency
) s
order by s.currency, s.place, s.kind, s.happened_at
