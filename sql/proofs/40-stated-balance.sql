-- Proof 4: what the provider said it held at the pull before, and the movements since, are what it says now.
--
-- The same two statements and the same ways of dating a movement as in balance_mismatch; nothing on the first night.
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
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
  select s.provider, s.account, s.landed_file, s.observed_at, s.range_to, s.pulled_at,
    row_number() over (partition by s.provider, s.account order by s.range_to desc, s.landed_file desc) as place
  from statement s
  join moment m on m.moment = 1 and s.range_to <= m.instant
),
pair as (
  select n.provider, n.account, n.landed_file as now_file, n.observed_at as now_at,
    greatest_of(n.observed_at, n.pulled_at) as now_known_at, s.landed_file as then_file, s.observed_at as then_at,
    s.pulled_at as then_pulled_at, k.covers_from,
    row_number() over (partition by n.provider, n.account order by s.range_to desc, s.landed_file desc) as place
  from newest n
  join statement s on s.provider = n.provider and s.account = n.account and s.range_to < n.range_to
    and s.observed_at < n.observed_at
  join known k on k.source = n.provider and k.subject = 'ledger'
  where n.place = 1
),
amount as (
  select p.provider, p.account, b.currency, case when b.observed_at = p.then_at then b.amount_minor
    else 0 end as then_minor,
    case when b.observed_at = p.now_at then b.amount_minor else 0 end as now_minor, 0 as dated_minor, 0 as landed_minor,
      0 as late_minor,
    case when b.observed_at = p.now_at then b.withheld_minor else - b.withheld_minor end as withheld_minor
  from pair p
  join stated_balance b on b.provider = p.provider and b.account = p.account
    and (b.landed_file = p.then_file and b.observed_at = p.then_at or b.landed_file = p.now_file
      and b.observed_at = p.now_at)
  where p.place = 1
  union all
  select p.provider, p.account, l.currency, 0, 0,
    case when l.booked_at >= p.then_at and l.booked_at < p.now_at then l.net_minor else 0 end,
    case when l.first_landed_at > p.then_at and l.first_landed_at <= p.now_at
      and l.booked_at >= p.covers_from then l.net_minor else 0 end,
    case when l.booked_at < p.now_at and l.booked_at >= p.covers_from and l.first_landed_at <= p.now_known_at
      and (l.booked_at >= p.then_at or l.first_landed_at > p.then_pulled_at) then l.net_minor else 0 end, 0
  from pair p
  join booked_row l on l.provider = p.provider and l.account = p.account
    and (l.booked_at >= p.then_at and l.booked_at < p.now_at or l.first_landed_at > p.then_at
      and l.first_landed_at <= p.now_known_at)
  where p.place = 1
  union all
  select p.provider, p.account, l.currency, 0, 0, 0, 0,
    case
      when l.booked_at >= p.then_at or l.first_landed_at > p.then_pulled_at then case
        when c.changed_at > p.now_known_at then - c.net_minor else 0 end
      when c.changed_at > p.then_pulled_at and c.changed_at <= p.now_known_at then c.net_minor
      else 0
    end, 0
  from pair p
  join record_change c on c.provider = p.provider and c.account = p.account
  join booked_row l on l.provider = c.provider and l.row_id = c.record_id
  where p.place = 1 and l.booked_at < p.now_at and l.booked_at >= p.covers_from and l.first_landed_at <= p.now_known_at
),
dated as (
  select provider, account, currency, cast(sum(then_minor) as bigint) as then_minor,
    cast(sum(now_minor) as bigint) as now_minor,
    cast(sum(dated_minor) as bigint) as dated_minor, cast(sum(landed_minor) as bigint) as landed_minor,
    cast(sum(late_minor) as bigint) as late_minor,
    cast(sum(withheld_minor) as bigint) as withheld_minor
  from amount
  group by provider, account, currency
),
compared as (                          -- the way of dating that holds is shown; where none does, the nearer one
  select provider, account, currency, then_minor, now_minor,
    case
      when now_minor - then_minor in (dated_minor, dated_minor + withheld_minor) then dated_minor
      when now_minor - then_minor in (landed_minor, landed_minor + withheld_minor) then landed_minor
      when now_minor - then_minor in (late_minor, late_minor + withheld_minor) then late_minor
      when abs(now_minor - then_minor - dated_minor) < abs(now_minor - then_minor - landed_minor) then dated_minor
      else landed_minor
    end as moved_minor, withheld_minor
  from dated
),
line as (
  select provider, account, currency, 1 as ordinal, 'stated_before' as label, then_minor as amount_minor, 1 as holds
  from compared
  union all
  select provider, account, currency, 2, 'movements', moved_minor, 1
  from compared
  union all
  select provider, account, currency, 3, 'stated_now', now_minor, 1
  from compared
  union all
  select provider, account, currency, 4, 'set_aside', withheld_minor, 1
  from compared
  where withheld_minor <> 0 and now_minor = then_minor + moved_minor + withheld_minor
  union all
  select provider, account, currency, 5, 'difference',
    case when now_minor = then_minor + moved_minor + withheld_minor then 0
      else now_minor - then_minor - moved_minor end,
    case when now_minor - then_minor - moved_minor in (0, withheld_minor) then 1 else 0 end
  from compared
)
select 'stated_balance', ordinal, provider, account, currency, '', label, amount_minor, holds
from line
