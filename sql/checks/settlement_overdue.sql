-- Payment {payment_id} captured {expected}, booked {booked}; payouts and settlement batches contain {actual} of it.
--
-- Why it matters: the provider holds money that it should have paid to our bank by now.
-- What clears it: a payout or settlement batch with the capture's row.
-- Suggested action: Finance: ask the provider why this capture is held back from payouts.
-- Severity: medium
-- Rests on: payouts ledger
-- Also reads: payments

-- Not raised where the provider neither itemises payouts of that account and currency (manual payouts) nor closes
-- batches, nor for a payment that failed later. A payout that failed still counts: its money is back in the balance and
-- payout_failed reports it. A duplicate report of a row is paid for both. A capture that only a webhook or an API
-- reports waits for its row; one that settlements paid in part waits for the rest.
with itemised as (
  select m.moment, p.provider, p.account, p.currency
  from moment m
  join payout p on p.created_at < m.instant and p.is_itemised = 1
  group by m.moment, p.provider, p.account, p.currency
),
holder as (
  select provider, account
  from payment
  union
  select provider, value
  from provider_trait
  where trait = 'account'
),
batched as (                             -- one who settles for many closes the batches of all of them
  select m.moment, b.provider, coalesce(h.account, o.account) as account
  from moment m
  join settlement_batch b on b.closed_at < m.instant
  left join holder h on h.provider = b.provider and h.account = b.account
  left join holder o on h.account is null and o.provider = b.provider
  where coalesce(h.account, o.account) is not null
  group by m.moment, b.provider, coalesce(h.account, o.account)
),
listed as (
  select l.provider, l.row_id, coalesce(p.created_at, b.closed_at) as paid_at
  from payout_row l
  left join payout p on p.provider = l.provider and p.payout_id = l.payout_id and p.is_itemised = 1
  left join settlement_batch b on b.provider = l.provider and b.batch_id = l.payout_id
  where p.payout_id is not null or b.batch_id is not null
),
paid_row as (
  select r.provider, r.row_id, min(r.paid_at) as paid_at
  from (
    select provider, row_id, paid_at from listed
    union all
    select x.provider, x.echoes_row_id, l.paid_at
    from row_echo x
    join listed l on l.provider = x.provider and l.row_id = x.row_id
    where x.echoes_row_id is not null
  ) r
  group by r.provider, r.row_id
),
short as (                               -- what settlement rows paid of a capture, where it is less than all of it
  select m.moment, x.provider, x.echoes_row_id as row_id, cast(sum(l.net_minor) as bigint) as paid_minor
  from settled_net n
  join moment m on n.settled_at < m.instant
  join row_echo x on x.provider = n.provider and x.row_id = n.row_id
  join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
  join ledger_row t on t.provider = x.provider and t.row_id = x.echoes_row_id
  group by m.moment, x.provider, x.echoes_row_id, t.net_minor
  having sum(l.net_minor) < t.net_minor
),
waiting as (
  select m.moment, e.flow_key, 0 as is_told, e.currency, e.amount_minor, coalesce(s.paid_minor, 0) as paid_minor,
    e.booked_at,
    e.booked_at + y.settle_within as due_at
  from moment m
  join entry e on e.booked_at < m.instant
  join policy y on y.provider = e.provider
  join known k on k.source = e.provider and k.subject = 'payouts'
  left join itemised i on i.moment = m.moment and i.provider = e.provider and i.account = e.account
    and i.currency = e.currency
  left join batched b on b.moment = m.moment and b.provider = e.provider and b.account = e.account
  left join paid_row r on r.provider = e.provider and r.row_id = e.row_id
  left join short s on s.moment = m.moment and s.provider = e.provider and s.row_id = e.row_id
  where e.kind = 'capture' and e.to_party = 'platform' and e.flow_key is not null
    and (r.paid_at is null or r.paid_at >= m.instant or s.row_id is not null)
    and (i.provider is not null or b.provider is not null)
    and e.booked_at + y.settle_within < m.instant and e.booked_at + y.settle_within <= k.known_until
      and e.booked_at >= k.covers_from
  union all
  select m.moment, c.flow_key, 1, c.currency, c.amount_minor, 0, c.captured_at, c.captured_at + y.settle_within
  from moment m
  join payment_capture c on c.confirmed_at < m.instant and c.is_failure = 0 and c.is_settled = 0
  join payment p on p.provider = c.provider and p.payment_id = c.payment_id
  join policy y on y.provider = c.provider
  join known k on k.source = c.provider and k.subject = 'payouts'
  join batched b on b.moment = m.moment and b.provider = c.provider and b.account = p.account
  left join entry e on e.flow_key = c.flow_key and e.record_id = c.capture_id and e.kind = 'capture'
  left join payment_capture f on f.provider = c.provider and f.payment_id = c.payment_id
    and f.capture_id = c.capture_id and f.is_failure = 1
  where e.entry_id is null and f.capture_id is null and c.captured_at + y.settle_within < m.instant
    and c.captured_at + y.settle_within <= k.known_until and c.captured_at >= k.covers_from
),
summed as (
  select moment, flow_key, is_told, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    cast(sum(paid_minor) as bigint) as paid_minor, min(due_at) as since, min(booked_at) as booked_at
  from waiting
  group by moment, flow_key, is_told, currency
)
select s.moment, case s.is_told when 0 then s.flow_key else s.flow_key || ':told' end as subject, t.provider, t.account,
  coalesce(g.order_ids, '') as order_id, t.payment_id, '' as record_id,
  s.currency, s.amount_minor as expected_minor, s.paid_minor as actual_minor, s.since,
    coalesce(t.connected_account, '') as connected_account,
  s.booked_at
from summed s
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key and s.currency = case s.is_told
  when 0 then t.settlement_currency else t.currency end
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where t.is_covered = 1 and t.status <> 'failed' and t.failed_at is null
order by s.moment, s.flow_key, s.is_told
