-- Payment {payment_id} captured {expected}, but {actual} was transferred: {difference} too much.
--
-- Why it matters: the platform paid the difference out of its own balance.
-- What clears it: a reversal of the excess.
-- Suggested action: Find out which of the named transfers was sent twice or too large and reverse the excess.
-- Severity: critical
-- Rests on: ledger payments
-- Also reads: transfers
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers')
  group by source
  having count(*) = 3 and min(is_asked) = 1
),
suspect as (                           -- payments that alone look too small for their transfers
  select distinct pa.moment, n.group_id, pa.transfer_currency as currency
  from payment_at pa
  join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.transferred_minor >
    case pa.transfer_currency when pa.currency then pa.captured_minor
      when pa.settlement_currency then pa.settlement_captured_minor end
),
member as (                            -- with the other payments of their groups: one transfer may serve a whole order
  select distinct s.moment, s.group_id, s.currency, pr.flow_key
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.flow_key is not null
),
captured as (
  select b.moment, m.instant, b.group_id, b.currency, min(pa.provider) as provider, min(pa.account) as account,
    min(case when pa.transfer_currency = b.currency then b.flow_key end) as subject, count(*) as payments,
    min(pa.payment_id) as payment_id, max(pa.captured_at) as captured_at,
      min(pa.connected_account) as connected_account,
    cast(sum(case b.currency when pa.currency then pa.captured_minor
      when pa.settlement_currency then pa.settlement_captured_minor
      else 0 end) as bigint) as captured_minor
  from member b
  join moment m on m.moment = b.moment
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0
  group by b.moment, m.instant, b.group_id, b.currency
),
movement as (                          -- transfers, less the reversals that no refund that stands explains
  select distinct c.moment, c.group_id, c.currency, c.provider, c.account, c.subject, c.payments, c.payment_id,
    c.captured_at,
    c.connected_account, c.captured_minor, e.entry_id, e.record_id, e.kind, e.booked_at,
    case e.kind when 'transfer' then e.amount_minor else - e.amount_minor end as amount_minor
  from captured c
  join pair_at pr on pr.moment = c.moment and pr.group_id = c.group_id
  join entry e on e.flow_key = pr.flow_key and e.currency = c.currency and e.booked_at < c.instant
    and e.kind in ('transfer', 'transfer_reversal')
  left join refund_at f on f.moment = c.moment and f.flow_key = e.flow_key and f.reversal_id = e.record_id
    and f.status = 'succeeded'
  where f.refund_id is null
),
running as (
  select moment, group_id, currency, provider, account, subject, payments, payment_id, captured_at, connected_account,
    captured_minor,
    record_id, kind, booked_at,
    cast(sum(amount_minor) over (partition by moment, group_id, currency) as bigint) as transferred_minor,
    cast(sum(amount_minor) over (partition by moment, group_id, currency order by booked_at, entry_id
      rows between unbounded preceding and current row) as bigint) as total_minor
  from movement
),
tipping as (                           -- the transfers that went beyond the captured amount
  select moment, group_id, currency, provider, account, subject, payments, payment_id, captured_at, connected_account,
    captured_minor,
    transferred_minor, min(booked_at) over (partition by moment, group_id, currency) as booked_at,
    row_number() over (partition by moment, group_id, currency order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, group_id, currency order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from running
  where kind = 'transfer' and total_minor > captured_minor and transferred_minor > captured_minor
)
select d.moment, d.subject, d.provider, d.account, g.order_ids as order_id,
  case when d.payments = 1 then d.payment_id else g.payment_ids end as payment_id, d.ids as record_id, d.currency,
    d.captured_minor as expected_minor, d.transferred_minor as actual_minor,
  greatest_of(d.booked_at, d.captured_at) as since, d.connected_account
from tipping d
join reach r on r.provider = d.provider
join group_at g on g.moment = d.moment and g.group_id = d.group_id
where d.place = 1 and d.booked_at < r.known_until and g.finding <> 'duplicate_payment'
order by d.moment, d.subject
