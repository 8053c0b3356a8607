-- What each provider states at either end of the range: its statement of that very instant, else that of the pull that
-- was made for a range ending there, with what moved between the two taken off again. A row that its provider showed
-- only later, or what is set aside, may or may not be in the statement: where one of these readings agrees with the
-- entries it is the one that is shown, else the first.
insert into stated_at (moment, provider, account, currency, amount_minor)
with statement as (
  select b.provider, b.account, b.landed_file, b.observed_at, max(b.range_to) as range_to,
    max(f.observed_at) as pulled_at
  from stated_balance b
  join landed_file f on f.file_id = b.landed_file
  group by b.provider, b.account, b.landed_file, b.observed_at
  having min(b.is_settled) = 1
),
nearest as (
  select m.moment, m.instant, s.provider, s.account, s.landed_file, s.observed_at, s.pulled_at,
    row_number() over (partition by m.moment, s.provider, s.account
      order by case when s.observed_at = m.instant then 0 else 1 end, s.landed_file desc, s.observed_at) as place
  from statement s
  join moment m on s.observed_at = m.instant or s.range_to = m.instant
),
chosen as (
  select n.moment, n.instant, n.provider, n.account, n.landed_file, n.observed_at, n.pulled_at, b.currency,
    b.amount_minor, b.withheld_minor - coalesce(f.withheld_minor, 0) as set_aside_minor
  from nearest n
  join stated_balance b on b.provider = n.provider and b.account = n.account and b.landed_file = n.landed_file
    and b.observed_at = n.observed_at
  left join balance_base a on a.provider = n.provider and a.account = n.account
  left join stated_balance f on f.provider = a.provider and f.account = a.account and f.landed_file = a.landed_file
    and f.observed_at = a.at and f.currency = b.currency
  where n.place = 1
),
moved as (                             -- what lies between the statement and the moment, with its sign
  select c.moment, c.provider, c.account, c.currency,
    cast(sum(case when v.booked_at < c.instant then v.amount_minor else - v.amount_minor end) as bigint)
      as dated_minor,
    cast(sum(case when l.first_landed_at > c.pulled_at then 0
      when v.booked_at < c.instant then v.amount_minor else - v.amount_minor end) as bigint) as known_minor
  from chosen c
  join movement v on v.scope = 'platform' and v.provider = c.provider and v.account = c.account
    and v.currency = c.currency
    and (v.booked_at >= c.instant and v.booked_at < c.observed_at
      or v.booked_at >= c.observed_at and v.booked_at < c.instant)
  join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
  group by c.moment, c.provider, c.account, c.currency
),
late as (                              -- dated before the statement and the moment, and landed or changed after it
  select n.moment, n.provider, n.account, n.currency, cast(sum(n.amount_minor) as bigint) as late_minor
  from (
    select c.moment, c.provider, c.account, c.currency, v.amount_minor
    from chosen c
    join movement v on v.scope = 'platform' and v.provider = c.provider and v.account = c.account
      and v.currency = c.currency and v.booked_at < least_of(c.observed_at, c.instant)
    join ledger_row l on l.provider = v.provider and l.row_id = v.row_id and l.first_landed_at > c.pulled_at
    union all
    select c.moment, c.provider, c.account, c.currency, r.net_minor
    from chosen c
    join record_change r on r.provider = c.provider and r.account = c.account and r.changed_at > c.pulled_at
    join ledger_row l on l.provider = r.provider and l.row_id = r.record_id and l.currency = c.currency
      and l.booked_at < least_of(c.observed_at, c.instant) and l.first_landed_at <= c.pulled_at
  ) n
  group by n.moment, n.provider, n.account, n.currency
),
reading as (
  select c.moment, c.provider, c.account, c.currency, 1 as place,
    c.amount_minor + coalesce(v.dated_minor, 0) as amount_minor
  from chosen c
  left join moved v on v.moment = c.moment and v.provider = c.provider and v.account = c.account
    and v.currency = c.currency
  union all
  select c.moment, c.provider, c.account, c.currency, 2, c.amount_minor + coalesce(v.known_minor, 0)
  from chosen c
  left join moved v on v.moment = c.moment and v.provider = c.provider and v.account = c.account
    and v.currency = c.currency
  union all
  select c.moment, c.provider, c.account, c.currency, 3,
    c.amount_minor + coalesce(v.known_minor, 0) + l.late_minor
  from chosen c
  join late l on l.moment = c.moment and l.provider = c.provider and l.account = c.account
    and l.currency = c.currency
  left join moved v on v.moment = c.moment and v.provider = c.provider and v.account = c.account
    and v.currency = c.currency
),
aside as (
  select moment, provider, account, currency, place, amount_minor from reading
  union all
  select r.moment, r.provider, r.account, r.currency, r.place + 3, r.amount_minor - c.set_aside_minor
  from reading r
  join chosen c on c.moment = r.moment and c.provider = r.provider and c.account = r.account
    and c.currency = r.currency and c.set_aside_minor <> 0
)
select a.moment, a.provider, a.account, a.currency, a.amount_minor
from (
  select s.moment, s.provider, s.account, s.currency, s.amount_minor,
    row_number() over (partition by s.moment, s.provider, s.account, s.currency
      order by case when s.amount_minor = coalesce(b.amount_minor, 0) then 0 else 1 end, s.place) as place
  from aside s
  left join balance_at b on b.moment = s.moment and b.scope = 'platform' and b.provider = s.provider
    and b.account = s.account and b.currency = s.currency
) a
where a.place = 1
