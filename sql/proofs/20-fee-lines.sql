-- Proof 2: the lines of a fee add up to the fee, per account and currency, and row by row.
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
with booked as (
  select l.provider, l.row_id, l.account, l.currency, l.fee_minor, l.fee_sum_minor
  from booked_row l
  join moment m on m.moment = 1 and l.booked_at < m.instant
),
account as (                           -- with what the settled groups add, of which no row is broken
  select b.provider, b.account, b.currency, cast(sum(b.fee_minor) as bigint) as fee_minor,
    cast(sum(b.fee_sum_minor) as bigint) as line_minor,
    cast(sum(b.is_broken) as bigint) as broken
  from (
    select provider, account, currency, fee_minor, fee_sum_minor,
      case when fee_minor <> fee_sum_minor then 1 else 0 end as is_broken
    from booked
    union all
    select k.provider, k.account, k.currency, case k.name when 'fees' then k.amount_minor else 0 end,
      case k.name when 'fee_lines' then k.amount_minor else 0 end, 0
    from kept_sum_at k
    where k.name in ('fees', 'fee_lines')
  ) b
  group by b.provider, b.account, b.currency
),
line as (
  select provider, account, currency, 1 as ordinal, '' as subject, 'fees' as label, fee_minor as amount_minor,
    1 as holds
  from account
  union all
  select provider, account, currency, 2, '', 'fee_lines', line_minor, 1
  from account
  union all
  select provider, account, currency, 3, '', 'difference', fee_minor - line_minor,
    case when broken = 0 then 1 else 0 end
  from account
  union all
  select provider, account, currency, 4, row_id, 'difference', fee_minor - fee_sum_minor, 0
  from booked
  where fee_minor <> fee_sum_minor
)
select 'fee_lines', ordinal, provider, account, currency, subject, label, amount_minor, holds
from line
