-- {provider} states a balance of {actual}; its previous statement ({before}) and all movements since give {expected}:
-- {difference} is unaccounted for.
--
-- Why it matters: money moved in the provider's account that none of its rows explains, or a row was not read.
-- What clears it: the missing row, once it is read; the next pull compares the next two statements.
-- Suggested action: Pull the range again; if the difference remains, ask the provider about it.
-- Severity: critical
-- Rests on: ledger

-- Compares two statements that were made while nothing moved, in pulls that were read in full. A movement is between
-- them by its own date, by when it landed (a row may become visible late), or because only the second of the two pulls
-- listed it: a balance may be of an hour before its pull, and then contains what that pull could see; a row that
-- changed later counts as it was. Only where all ways fail is there a mismatch, and the nearer of the first two is
-- shown. Money that is set aside remains in the balance; a row may still report it as having left, so the change of
-- what is withheld explains a difference as well.
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
  select m.moment, s.provider, s.account, s.landed_file, s.observed_at, s.range_to, s.pulled_at,
    row_number() over (partition by m.moment, s.provider, s.account order by s.range_to desc,
      s.landed_file desc) as place
  from statement s
  join moment m on s.range_to <= m.instant
),
pair as (
  select n.moment, n.provider, n.account, n.landed_file as now_file, n.observed_at as now_at, n.range_to,
    greatest_of(n.observed_at, n.pulled_at) as now_known_at, s.landed_file as then_file, s.observed_at as then_at,
    s.pulled_at as then_pulled_at, k.covers_from,
    row_number() over (partition by n.moment, n.provider, n.account order by s.range_to desc,
      s.landed_file desc) as place
  from newest n
  join statement s on s.provider = n.provider and s.account = n.account and s.range_to < n.range_to
    and s.observed_at < n.observed_at
  join known k on k.source = n.provider and k.subject = 'ledger'
  where n.place = 1
),
amount as (                            -- before, now, and what moved: by date and by landing
  select p.moment, p.provider, p.account, b.currency, case when b.observed_at = p.then_at then b.amount_minor
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
  select p.moment, p.provider, p.account, l.currency, 0, 0,
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
  select p.moment, p.provider, p.account, l.currency, 0, 0, 0, 0,
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
compared as (
  select moment, provider, account, currency, cast(sum(then_minor) as bigint) as then_minor,
    cast(sum(now_minor) as bigint) as now_minor,
    cast(sum(dated_minor) as bigint) as dated_minor, cast(sum(landed_minor) as bigint) as landed_minor,
    cast(sum(late_minor) as bigint) as late_minor,
    cast(sum(withheld_minor) as bigint) as withheld_minor
  from amount
  group by moment, provider, account, currency
)
select c.moment, c.provider || ':' || c.account || ':' || c.currency as subject, c.provider, c.account, '' as order_id,
  '' as payment_id,
  '' as record_id, c.currency,
  c.then_minor + case when abs(c.now_minor - c.then_minor - c.dated_minor) < abs(c.now_minor - c.then_minor
    - c.landed_minor)
    then c.dated_minor else c.landed_minor end as expected_minor, c.now_minor as actual_minor, p.range_to - 1 as since,
  '' as connected_account, c.then_minor as before_minor
from compared c
join pair p on p.moment = c.moment and p.provider = c.provider and p.account = c.account and p.place = 1
where c.now_minor - c.then_minor - c.dated_minor not in (0, c.withheld_minor)
  and c.now_minor - c.then_minor - c.landed_minor not in (0, c.withheld_minor)
  and c.now_minor - c.then_minor - c.late_minor not in (0, c.withheld_minor)
order by c.moment, c.provider, c.account, c.currency
