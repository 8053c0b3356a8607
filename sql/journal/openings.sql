-- What stood at the range's first instant: of the platform at each provider what the provider stated, brought back to that instant by the movements
-- between, or the sum of what was read where it states nothing; of connected accounts the sum of what was read.
--
-- $1 is the range's first instant.
with statement as (
  select b.provider, b.account, b.currency, b.amount_minor - b.withheld_minor as amount_minor, b.observed_at,
    row_number() over (partition by b.provider, b.account, b.currency order by b.observed_at, b.landed_file) as place
  from stated_balance b
  where b.is_settled = 1
),
stated as (
  select s.provider, s.account, s.currency,
    s.amount_minor - cast(coalesce(sum(case
      when l.booked_at >= $1 and l.booked_at < s.observed_at then l.net_minor
      when l.booked_at < $1 and l.booked_at >= s.observed_at then - l.net_minor
      else 0 end), 0) as bigint) as amount_minor
  from statement s
  left join booked_row l on l.provider = s.provider and l.account = s.account and l.currency = s.currency
  where s.place = 1
  group by s.provider, s.account, s.currency, s.amount_minor
),
summed as (
  select p.provider, p.account, p.party, p.currency, cast(sum(p.amount_minor) as bigint) as amount_minor
  from (
    select e.provider, e.account, e.to_party as party, e.currency, e.amount_minor from entry e where e.booked_at < $1
    union all
    select e.provider, e.account, e.from_party, e.currency, - e.amount_minor from entry e where e.booked_at < $1
  ) p
  where p.party = 'platform' or substr(p.party, 1, 10) = 'connected:'
  group by p.provider, p.account, p.party, p.currency
)
select a.provider, a.account, a.party, a.currency, a.amount_minor
from (
  select s.provider, s.account, 'platform' as party, s.currency, s.amount_minor from stated s
  union all
  select m.provider, m.account, m.party, m.currency, m.amount_minor
  from summed m
  left join stated s on s.provider = m.provider and s.account = m.account and s.currency = m.currency and m.party = 'platform'
  where s.provider is null
) a
where a.amount_minor <> 0
order by a.provider, a.account, a.party, a.currency
