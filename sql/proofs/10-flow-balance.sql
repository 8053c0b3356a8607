-- Proof 1: what the entries leave the platform with is the net of the provider's own rows, per account and currency,
-- and payment by payment.
--
-- The rows are summed on a path that does not pass the posting rules. A payment, or a row without one, that differs has
-- a line of its own and flow_out_of_balance.
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
with effect as (
  select e.provider, e.account, e.currency,
    cast(sum(case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor
    else 0 end) as bigint) as entries_minor,
    0 as rows_minor
  from entry e
  join moment m on m.moment = 1 and e.booked_at < m.instant
  group by e.provider, e.account, e.currency
  union all
  select l.provider, l.account, l.currency, 0, cast(sum(l.net_minor) as bigint)
  from booked_row l
  join moment m on m.moment = 1 and l.booked_at < m.instant
  group by l.provider, l.account, l.currency
  union all                            -- what the settled groups add
  select k.provider, k.account, k.currency, case k.name when 'entries' then k.amount_minor else 0 end,
    case k.name when 'rows' then k.amount_minor else 0 end
  from kept_sum_at k
  where k.name in ('entries', 'rows')
),
account as (
  select provider, account, currency, cast(sum(entries_minor) as bigint) as entries_minor,
    cast(sum(rows_minor) as bigint) as rows_minor
  from effect
  group by provider, account, currency
),
line as (
  select provider, account, currency, 1 as ordinal, '' as subject, 'entries' as label, entries_minor as amount_minor,
    1 as holds
  from account
  union all
  select provider, account, currency, 2, '', 'rows', rows_minor, 1
  from account
  union all
  select provider, account, currency, 3, '', 'difference', entries_minor - rows_minor,
    case when entries_minor = rows_minor then 1 else 0 end
  from account
  union all
  select provider, account, currency, 4, case when payment_id = '' then record_id else payment_id end, 'difference',
    actual_minor - expected_minor, 0
  from finding
  where type = 'flow_out_of_balance' and moment = 1
)
select 'flow_balance', ordinal, provider, account, currency, subject, label, amount_minor, holds
from line
