-- What each provider stated that it holds for the platform, brought to an instant by the movements between, by their own dates: of the first statement
-- made at the instant or after it, else of the newest before. What one range ends with is thus what the next begins with.
--
-- What is set aside is taken off, as it stands with `other`; and beside the amount stand what was set aside, which the rows may not tell of, and the rows
-- of before that landed, or changed, only after the statement was made, which it may not have counted. $1 is the instant.
with statement as (
  select b.provider, b.account, b.currency, b.amount_minor, b.withheld_minor, b.observed_at, f.observed_at as pulled_at,
    row_number() over (
      partition by b.provider, b.account, b.currency
      order by case when b.observed_at >= $1 then 0 else 1 end, abs(b.observed_at - $1), b.landed_file) as place
  from stated_balance b
  join landed_file f on f.file_id = b.landed_file
  where b.is_settled = 1
),
moved as (
  select s.provider, s.account, s.currency,
    case
      when l.booked_at >= $1 and l.booked_at < s.observed_at then - l.net_minor
      when l.booked_at < $1 and l.booked_at >= s.observed_at then l.net_minor
      else 0
    end as between_minor,
    case when l.booked_at < $1 and l.booked_at < s.observed_at and l.first_landed_at > s.pulled_at then l.net_minor else 0 end as late_minor
  from statement s
  join booked_row l on l.provider = s.provider and l.account = s.account and l.currency = s.currency
  where s.place = 1
  union all
  -- What a row was changed by since the statement: one between the instant and the statement counts as it was when that was made.
  select s.provider, s.account, s.currency, case when l.booked_at >= $1 then c.net_minor else 0 end,
    case when l.booked_at < $1 then c.net_minor else 0 end
  from statement s
  join record_change c on c.provider = s.provider and c.account = s.account and c.changed_at > s.pulled_at
  join booked_row l on l.provider = c.provider and l.row_id = c.record_id and l.currency = s.currency
  where s.place = 1 and l.booked_at < s.observed_at
),
total as (
  select provider, account, currency, cast(sum(between_minor) as bigint) as between_minor, cast(sum(late_minor) as bigint) as late_minor
  from moved
  group by provider, account, currency
)
select s.provider, s.account, s.currency, s.amount_minor - s.withheld_minor + coalesce(t.between_minor, 0) as amount_minor, s.withheld_minor,
  coalesce(t.late_minor, 0) as late_minor
from statement s
left join total t on t.provider = s.provider and t.account = s.account and t.currency = s.currency
where s.place = 1
order by s.provider, s.account, s.currency
