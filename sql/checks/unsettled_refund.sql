-- Refund {record_id} of payment {payment_id}, {expected} made on {refunded}, was not settled in full by {due}.
--
-- Why it matters: the provider will still deduct it, or the customer never received it: the payouts do not show which.
-- What clears it: a settlement row of the refund.
-- Suggested action: Finance: ask the provider when the refund is settled.
-- Severity: medium
-- Rests on: payouts
-- Also reads: refunds

-- Where refunds are reported by an API or a webhook and settled in files: the file's row is the refund itself, or a
-- duplicate report of it that a payout pays.
with settling as (                       -- accounts of which files pay rows or state batches
  select l.provider, min(case when n.provider is null then 0 else 1 end) as is_echoed
  from (
    select provider from provider_trait where trait = 'settled_rows'
    union
    select distinct provider from settlement_batch
  ) l
  left join (select provider from provider_trait where trait = 'settled_rows') n on n.provider = l.provider
  group by l.provider
),
paid_row as (
  select y.provider, y.row_id, max(p.created_at) as paid_at
  from payout_row y
  join payout p on p.provider = y.provider and p.payout_id = y.payout_id
  join ledger_row l on l.provider = y.provider and l.row_id = y.row_id
  group by y.provider, y.row_id, l.net_minor
  having abs(sum(y.net_minor)) >= abs(l.net_minor)
),
waiting as (
  select r.moment, r.provider, r.refund_id, r.flow_key, r.payment_id, r.currency, r.amount_minor, r.created_at,
    r.created_at + y.settle_within as due_at
  from refund_at r
  join moment m on m.moment = r.moment
  join settling s on s.provider = r.provider
  join refund f on f.provider = r.provider and f.refund_id = r.refund_id
  join policy y on y.provider = r.provider
  join known k on k.source = r.provider and k.subject = 'payouts' and k.is_asked = 1
  left join paid_row p on p.provider = r.provider and p.row_id = f.row_id
  where r.status = 'succeeded' and r.created_at >= k.covers_from and r.created_at + y.settle_within < m.instant
    and r.created_at + y.settle_within <= k.known_until
    and case
      when s.is_echoed = 1 then case when p.paid_at < m.instant then 1 else 0 end
      when r.booked_at is not null then 1
      else 0
    end = 0
),
listed as (
  select moment, flow_key, row_number() over (partition by moment, flow_key order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, flow_key order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from waiting
),
summed as (
  select moment, flow_key, min(provider) as provider, min(payment_id) as payment_id, min(currency) as currency,
    cast(sum(amount_minor) as bigint) as amount_minor, min(created_at) as refunded_at, min(due_at) as due_at
  from waiting
  group by moment, flow_key
)
select s.moment, s.flow_key as subject, s.provider, t.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  s.amount_minor as expected_minor, 0 as actual_minor, s.due_at as since,
    coalesce(t.connected_account, '') as connected_account,
  s.refunded_at, s.due_at
from summed s
join listed l on l.moment = s.moment and l.flow_key = s.flow_key and l.place = 1
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.flow_key
