-- Proof 5, the control total: what the provider captured less what the orders were to bring is the sum of the
-- discrepancies listed, what is pending, what lies within tolerance, and a residual that is 0. Cumulative to the
-- range's end, per provider account and presentment currency.
--
-- Captures are summed from the entries and tenders from the orders; the terms from the findings as they are published.
-- So a capture that no payment carries, an order in no group, or a check that was silent or wrong leaves a residual. A
-- group of cancelled orders whose money went back owes nothing and has no finding: its captures are a term of their own
-- (refunded_after_cancel).
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
with net as (                               -- per group and currency, for the terms that no finding carries
  select provider, account, currency, group_id, term, cast(sum(amount_minor) as bigint) as amount_minor
  from control_item
  where term in ('pending', 'within_tolerance', 'refunded_after_cancel', 'currency_mismatch')
  group by provider, account, currency, group_id, term
),
kind (ordinal, label) as (
  select 1, 'captured' union all select 2, 'tender' union all select 3, 'missing_payment' union all select 4,
    'missing_order'
  union all select 5, 'amount_mismatch' union all select 6, 'currency_mismatch' union all select 7, 'duplicate_payment'
  union all select 8, 'captured_after_cancel' union all select 9, 'ambiguous_match' union all select 10,
    'payment_failed_after_paid'
  union all select 11, 'init_without_order' union all select 12, 'refunded_after_cancel' union all select 13, 'pending'
  union all select 14, 'within_tolerance' union all select 15, 'duplicate_init_hash' union all select 16,
    'orphan_settlement'
),
part as (                              -- currency_mismatch has two sides, each in its own currency
  select side as label, provider, account, currency, case side when 'tender' then - amount_minor
    else amount_minor end as amount_minor
  from control_item
  union all
  select f.type, f.provider, f.account, f.currency, coalesce(f.actual_minor, 0) - coalesce(f.expected_minor, 0)
  from finding f
  where f.moment = 1 and f.type in ('missing_payment', 'missing_order', 'amount_mismatch', 'duplicate_payment',
    'captured_after_cancel',
    'ambiguous_match', 'payment_failed_after_paid', 'duplicate_init_hash')
  union all                            -- of settlement rows that the API does not know those that no order claims
  select o.type, o.provider, o.account, o.payment_currency, o.captured_minor
  from (                               -- a group once, however many of its payments are unknown
    select distinct f.type, g.group_id, g.provider, g.account, g.payment_currency, g.captured_minor
    from finding f
    join match_node n on n.node = 'p:' || f.subject
    join group_at g on g.moment = 1 and g.group_id = n.group_id and g.finding = 'missing_order'
    where f.moment = 1 and f.type = 'orphan_settlement'
  ) o
  union all                            -- of started payments only those that were captured
  select f.type, f.provider, f.account, f.currency, coalesce(f.actual_minor, 0) - coalesce(f.expected_minor, 0)
  from finding f
  where f.moment = 1 and f.type = 'init_without_order' and exists (
    select 1
    from payment_hash h
    join match_node n on n.node = 'p:' || h.flow_key
    join group_at g on g.moment = 1 and g.group_id = n.group_id and g.finding = 'init_without_order'
    where h.init_hash = f.subject)
  union all
  select 'currency_mismatch', n.provider, n.account, n.currency, n.amount_minor
  from net n
  join finding f on f.type = 'currency_mismatch' and f.moment = 1 and f.subject = n.group_id
  where n.term = 'currency_mismatch'
  union all
  select n.term, n.provider, n.account, n.currency, n.amount_minor
  from net n
  left join tolerance t on t.currency = n.currency
  where n.term in ('pending', 'refunded_after_cancel')
    or n.term = 'within_tolerance' and abs(n.amount_minor) <= coalesce(t.amount_minor, 0)
),
total as (                             -- with what the settled groups add
  select b.label, b.provider, b.account, b.currency, cast(sum(b.amount_minor) as bigint) as amount_minor
  from (
    select label, provider, account, currency, amount_minor from part
    union all
    select k.name, k.provider, k.account, k.currency, k.amount_minor
    from kept_sum_at k
    where k.name in ('captured', 'tender', 'within_tolerance', 'refunded_after_cancel')
  ) b
  group by b.label, b.provider, b.account, b.currency
),
account as (
  select provider, account, currency,
    cast(sum(case label when 'captured' then amount_minor else - amount_minor end) as bigint) as residual_minor
  from total
  group by provider, account, currency
),
line as (
  select k.ordinal, a.provider, a.account, a.currency, k.label, coalesce(t.amount_minor, 0) as amount_minor, 1 as holds
  from account a
  join kind k on true
  left join total t on t.label = k.label and t.provider = a.provider and t.account = a.account
    and t.currency = a.currency
  union all
  select 16, provider, account, currency, 'residual', residual_minor, case when residual_minor = 0 then 1 else 0 end
  from account
)
select 'control_total', ordinal, provider, account, currency, '', label, amount_minor, holds
from line
