-- In how many currencies of an account the second statement follows from the first, when rows that are dated before the
-- first and landed after it are in it already, and when they are not. $1: provider, $2: account, $3 and $4: the first
-- statement's instant and that of its pull, $5 and $6: the second's, $7 and $8: their landed files.
with moved as (
  select currency,
    cast(sum(case when booked_at >= $3 then net_minor else 0 end) as bigint) as dated_minor,
    cast(sum(case when booked_at >= $3 then 0 else net_minor end) as bigint) as late_minor
  from ledger_row
  where provider = $1 and account = $2 and is_echo = 0 and booked_at < $5 and first_landed_at <= $6
    and (booked_at >= $3 or first_landed_at > $4)
  group by currency
),
stated as (
  select currency, cast(sum(case when landed_file = $8 and observed_at = $5 then amount_minor else 0 end)
    - sum(case when landed_file = $7 and observed_at = $3 then amount_minor else 0 end) as bigint) as change_minor
  from stated_balance
  where provider = $1 and account = $2
    and (landed_file = $7 and observed_at = $3 or landed_file = $8 and observed_at = $5)
  group by currency
)
select cast(coalesce(sum(case when s.change_minor = coalesce(m.dated_minor, 0) then 1 else 0 end), 0) as bigint),
  cast(coalesce(sum(case when s.change_minor = coalesce(m.dated_minor, 0) + coalesce(m.late_minor, 0) then 1
    else 0 end), 0) as bigint)
from stated s
left join moved m on m.currency = s.currency
