-- Payment {payment_id} captured {expected}, booked {booked}, and no payout contains it.
--
-- Why it matters: the provider holds money that it should have paid to our bank by now.
-- What clears it: a payout that lists the capture's ledger row.
-- Suggested action: Finance ask the provider why this capture is held back from payouts.
-- Severity: medium
-- Rests on: payouts ledger payments

-- Silent where the provider itemises no payout of that account and currency (manual payouts), and for a payment that failed later.
-- A payout that failed still counts: its money is back in the balance and payout_failed speaks.
with itemised as (
  select m.moment, p.provider, p.account, p.currency
  from moment m
  join payout p on p.created_at < m.instant and p.is_itemised = 1
  group by m.moment, p.provider, p.account, p.currency
),
paid_row as (
  select l.provider, l.row_id, min(p.created_at) as paid_at
  from payout_line l
  join payout p on p.provider = l.provider and p.payout_id = l.payout_id and p.is_itemised = 1
  group by l.provider, l.row_id
),
waiting as (
  select m.moment, e.provider, e.flow_key, e.currency, e.account, e.amount_minor, e.booked_at, e.booked_at + y.settle_within as due_at
  from moment m
  join entry e on e.booked_at < m.instant
  join policy y on y.provider = e.provider
  join known k on k.source = e.provider and k.subject = 'payouts'
  join itemised i on i.moment = m.moment and i.provider = e.provider and i.account = e.account and i.currency = e.currency
  left join paid_row r on r.provider = e.provider and r.row_id = e.row_id
  where e.kind = 'capture' and e.to_party = 'platform' and e.flow_key is not null and (r.paid_at is null or r.paid_at >= m.instant)
    and e.booked_at + y.settle_within < m.instant and e.booked_at + y.settle_within <= k.known_until and e.booked_at >= k.covers_from
),
summed as (
  select moment, flow_key, currency, cast(sum(amount_minor) as bigint) as amount_minor, min(due_at) as since, min(booked_at) as booked_at
  from waiting
  group by moment, flow_key, currency
)
select s.moment, s.flow_key as subject, t.provider, t.account, coalesce(g.order_ids, '') as order_id, t.payment_id, '' as record_id,
  s.currency, s.amount_minor as expected_minor, 0 as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account,
  s.booked_at
from summed s
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key and t.settlement_currency = s.currency
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where t.is_covered = 1 and t.status <> 'failed' and t.failed_at is null
order by s.moment, s.flow_key
