-- Captures at {captor} and the orders differ by {actual} that no listed discrepancy explains.
--
-- Why it matters: every difference must be explained exactly once; a remainder means that a record was lost, or that a
-- check missed it.
-- What clears it: a control total without a residual.
-- Suggested action: Read the lines of the control total in the proofs, find the term that is wrong, and report the
-- defect.
-- Severity: critical
-- Rests on: ledger payments refunds orders
-- Runs after: proofs

-- The control total holds at the range's end only. Discrepancies that are not a term of it (a capture whose entry is
-- lost) may explain the residual: then it is not a second row.
with residual as (
  select p.provider, p.account, p.currency, p.amount_minor
  from proof_line p
  where p.proof = 'control_total' and p.label = 'residual' and p.amount_minor <> 0
),
elsewhere as (
  select f.provider, f.account, f.currency, f.type,
    cast(sum(coalesce(f.actual_minor, 0) - coalesce(f.expected_minor, 0)) as bigint) as amount_minor
  from finding f
  where f.moment = 1 and f.type = 'flow_out_of_balance'
  group by f.provider, f.account, f.currency, f.type
),
explained as (                         -- by those of one type, or by all of them
  select provider, account, currency, amount_minor
  from elsewhere
  union
  select provider, account, currency, cast(sum(amount_minor) as bigint)
  from elsewhere
  group by provider, account, currency
)
select m.moment, r.provider || ':' || r.account || ':' || r.currency as subject, r.provider, r.account, '' as order_id,
  '' as payment_id,
  '' as record_id, r.currency, 0 as expected_minor, r.amount_minor as actual_minor, m.instant - 1 as since,
    '' as connected_account,
  case when r.provider = '' then 'any provider' else r.provider end as captor
from residual r
join moment m on m.moment = 1
left join explained e on e.provider = r.provider and e.account = r.account and e.currency = r.currency
  and e.amount_minor = r.amount_minor
where e.provider is null
order by r.provider, r.account, r.currency
