-- Payout {record_id} of {expected}, created {created}, {outcome}: the money is back at {provider}, not at the bank.
--
-- Why it matters: the bank account lacks money that was counted on; often the provider stops further payouts until the
-- account is fixed.
-- What clears it: a decision, once a later payout has paid the money.
-- Suggested action: Finance: correct the bank account at the provider and see that the next payout contains this money.
-- Severity: critical
-- Rests on: nothing
-- Also reads: payouts ledger
with broken as (
  select p.provider, p.account, p.payout_id, p.currency, p.amount_minor, p.created_at,
    coalesce(p.failure_code, '') as failure_code,
    case when p.status in ('failed', 'error') then 'failed'
      when p.status in ('canceled', 'cancelled') then 'was cancelled'
    when p.status in ('refused', 'rejected') then 'was ' || p.status when p.status = 'D' then 'was refused'
      else 'was returned' end as outcome,
    greatest_of(p.created_at, coalesce(l.booked_at, p.created_at)) as broken_at
  from payout p
  left join ledger_row l on l.provider = p.provider and l.row_id = p.failure_row_id
  -- also as a letter: denied, reversed
  where p.status in ('failed', 'canceled', 'cancelled', 'returned', 'refused', 'rejected', 'error', 'D', 'V')
    or l.row_id is not null
)
select m.moment, b.provider || ':' || b.payout_id as subject, b.provider, b.account, '' as order_id, '' as payment_id,
  b.payout_id as record_id, b.currency, b.amount_minor as expected_minor, 0 as actual_minor, b.broken_at as since,
    '' as connected_account,
  b.outcome || case when b.failure_code = '' then '' else ' (' || b.failure_code || ')' end as outcome,
  b.created_at
from broken b
join moment m on b.broken_at < m.instant
order by m.moment, b.provider, b.payout_id
