-- Proof 3: the rows that a payout says it pays add up to it, per account and currency, and payout by payout.
--
-- Only payouts that say it, as far as they and their rows are known.
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
with paid as (
  select p.provider, p.payout_id, p.account, p.currency, p.amount_minor
  from payout p
  join moment m on m.moment = 1 and p.created_at < m.instant
  join known k on k.source = p.provider and k.subject = 'payouts' and p.created_at < k.known_until
    and p.created_at >= k.covers_from
  where p.is_itemised = 1
),
itemised as (                          -- a settled payout is what its rows add up to: else it would be open
  select p.provider, p.payout_id, p.account, p.currency, p.amount_minor,
    case when x.payout_id is null then cast(coalesce(sum(l.net_minor), 0) as bigint)
      else p.amount_minor end as line_minor
  from paid p
  left join settled_payout x on x.provider = p.provider and x.payout_id = p.payout_id
  left join payout_row l on x.payout_id is null and l.provider = p.provider and l.payout_id = p.payout_id
    and l.currency = p.currency
  group by p.provider, p.payout_id, p.account, p.currency, p.amount_minor, x.payout_id
),
account as (
  select provider, account, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    cast(sum(line_minor) as bigint) as line_minor,
    cast(sum(case when amount_minor <> line_minor then 1 else 0 end) as bigint) as broken
  from itemised
  group by provider, account, currency
),
line as (
  select provider, account, currency, 1 as ordinal, '' as subject, 'payouts' as label, amount_minor, 1 as holds
  from account
  union all
  select provider, account, currency, 2, '', 'payout_lines', line_minor, 1
  from account
  union all
  select provider, account, currency, 3, '', 'difference', amount_minor - line_minor,
    case when broken = 0 then 1 else 0 end
  from account
  union all
  select provider, account, currency, 4, payout_id, 'difference', amount_minor - line_minor, 0
  from itemised
  where amount_minor <> line_minor
)
select 'payouts', ordinal, provider, account, currency, subject, label, amount_minor, holds
from line
