-- What each provider stated that it holds for the platform, brought to an instant by the movements between, by their
-- own dates: of the first statement made at the instant or after it, else of the newest before. What one range ends
-- with is thus what the next begins with.
--
-- What is set aside is taken off, as it is with `other`; and beside the amount stand what was set aside, which the
-- rows may not report, and the rows of before that landed, or changed, only after the statement was made, which it may
-- not have counted. Where the next statement says that it had not, they are counted with it. $1 is the instant.
with settled as (
  select b.provider, b.account, b.currency, b.amount_minor, b.withheld_minor, b.observed_at, b.landed_file,
    f.observed_at as pulled_at,
    lead(b.observed_at) over later as next_at, lead(b.amount_minor) over later as next_minor,
      lead(f.observed_at) over later as next_pulled_at
  from stated_balance b
  join landed_file f on f.file_id = b.landed_file
  where b.is_settled = 1
  window later as (partition by b.provider, b.account, b.currency order by b.observed_at, b.landed_file)
),
statement as (
  select provider, account, currency, amount_minor, withheld_minor, observed_at, pulled_at, next_at, next_minor,
    next_pulled_at,
    row_number() over (
      partition by provider, account, currency
      order by case when observed_at >= $1 then 0 else 1 end, abs(observed_at - $1), landed_file) as place
  from settled
),
moved as (
  select s.provider, s.account, s.currency,
    case
      when l.booked_at >= $1 and l.booked_at < s.observed_at then - l.net_minor
      when l.booked_at < $1 and l.booked_at >= s.observed_at then l.net_minor
      else 0
    end as between_minor,
    case when l.booked_at < $1 and l.booked_at < s.observed_at and l.first_landed_at > s.pulled_at then l.net_minor
      else 0 end as late_minor,
    case when l.booked_at >= s.observed_at and l.booked_at < s.next_at then l.net_minor else 0 end as next_moved_minor,
    case when l.booked_at < s.observed_at and l.first_landed_at > s.pulled_at
      and l.first_landed_at <= s.next_pulled_at then l.net_minor else 0 end
      as uncounted_minor
  from statement s
  join booked_row l on l.provider = s.provider and l.account = s.account and l.currency = s.currency
  where s.place = 1
  union all
  -- What a row was changed by since the statement: one between the instant and the statement counts as it was when that
  -- was made.
  select s.provider, s.account, s.currency, case when l.booked_at >= $1 then c.net_minor else 0 end,
    case when l.booked_at < $1 then c.net_minor else 0 end, 0, 0
  from statement s
  join record_change c on c.provider = s.provider and c.account = s.account and c.changed_at > s.pulled_at
  join booked_row l on l.provider = c.provider and l.row_id = c.record_id and l.currency = s.currency
  where s.place = 1 and l.booked_at < s.observed_at
),
total as (
  select provider, account, currency, cast(sum(between_minor) as bigint) as between_minor,
    cast(sum(late_minor) as bigint) as late_minor,
    cast(sum(next_moved_minor) as bigint) as next_moved_minor, cast(sum(uncounted_minor) as bigint) as uncounted_minor
  from moved
  group by provider, account, currency
),
joined as (
  select s.provider, s.account, s.currency, s.amount_minor, s.withheld_minor,
    coalesce(t.between_minor, 0) as between_minor,
    coalesce(t.late_minor, 0) as late_minor,
    case when s.next_minor - s.amount_minor <> t.next_moved_minor
      and s.next_minor - s.amount_minor = t.next_moved_minor + t.uncounted_minor
      then t.uncounted_minor end as uncounted_minor
  from statement s
  left join total t on t.provider = s.provider and t.account = s.account and t.currency = s.currency
  where s.place = 1
)
select provider, account, currency, amount_minor - withheld_minor + between_minor
  + coalesce(uncounted_minor, 0) as amount_minor, withheld_minor,
  case when uncounted_minor is null then late_minor else 0 end as late_minor
from joined
order by provider, account, currency
