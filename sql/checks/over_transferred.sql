-- Payment {payment_id} captured {expected}, but {actual} of it was transferred: {difference} too much.
--
-- Why it matters: the platform paid the difference out of its own balance.
-- What clears it: a reversal of what is too much.
-- Suggested action: Find out which of the named transfers was sent twice or too large and reverse the excess.
-- Severity: critical
-- Rests on: ledger payments transfers
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers')
  group by source
  having count(*) = 3 and min(is_asked) = 1
),
suspect as (                           -- payments that alone look too small for their transfers
  select distinct pa.moment, pa.provider, n.group_id, pa.transfer_currency as currency
  from payment_at pa
  join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.transferred_minor >
    case pa.transfer_currency when pa.currency then pa.captured_minor when pa.settlement_currency then pa.settlement_captured_minor end
),
member as (                            -- with the other payments of their groups: one transfer may serve a whole order
  select distinct s.moment, s.group_id, s.currency, pr.flow_key
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.flow_key is not null
),
captured as (
  select b.moment, b.group_id, b.currency, min(pa.provider) as provider, min(pa.account) as account, min(case when pa.transfer_currency = b.currency then b.flow_key end) as subject,
    min(pa.payment_id) as payment_id, count(*) as payments, max(pa.captured_at) as captured_at, min(pa.connected_account) as connected_account,
    cast(sum(case b.currency when pa.currency then pa.captured_minor when pa.settlement_currency then pa.settlement_captured_minor
      else 0 end) as bigint) as captured_minor
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0
  group by b.moment, b.group_id, b.currency
),
movement as (                          -- transfers, less the reversals that no refund that stands explains
  select b.moment, b.group_id, b.currency, e.entry_id, e.record_id, e.kind, e.booked_at,
    case e.kind when 'transfer' then e.amount_minor else - e.amount_minor end as amount_minor
  from member b
  join moment m on m.moment = b.moment
  join entry e on e.flow_key = b.flow_key
  left join refund_at f on f.moment = b.moment and f.flow_key = b.flow_key and f.reversal_id = e.record_id and f.status = 'succeeded'
  where e.kind in ('transfer', 'transfer_reversal') and e.currency = b.currency and e.booked_at < m.instant and f.refund_id is null
),
running as (
  select moment, group_id, currency, record_id, kind, booked_at, amount_minor,
    cast(sum(amount_minor) over (partition by moment, group_id, currency order by booked_at, entry_id) as bigint) as total_minor
  from movement
),
total as (
  select moment, group_id, currency, cast(sum(amount_minor) as bigint) as transferred_minor
  from movement
  group by moment, group_id, currency
),
tipping as (                           -- the transfers that went beyond the captured amount
  select u.moment, u.group_id, u.currency, min(u.booked_at) over (partition by u.moment, u.group_id, u.currency) as booked_at,
    row_number() over (partition by u.moment, u.group_id, u.currency order by u.record_id) as place,
    group_concat(u.record_id, ' ') over (partition by u.moment, u.group_id, u.currency order by u.record_id
      rows between unbounded preceding and unbounded following) as ids
  from running u
  join captured c on c.moment = u.moment and c.group_id = u.group_id and c.currency = u.currency
  where u.kind = 'transfer' and u.total_minor > c.captured_minor
)
select c.moment, c.subject, c.provider, c.account, coalesce(g.order_ids, '') as order_id,
  case when c.payments = 1 then c.payment_id else g.payment_ids end as payment_id, d.ids as record_id, c.currency,
  c.captured_minor as expected_minor, t.transferred_minor as actual_minor, greatest_of(d.booked_at, c.captured_at) as since, c.connected_account
from captured c
join total t on t.moment = c.moment and t.group_id = c.group_id and t.currency = c.currency
join tipping d on d.moment = c.moment and d.group_id = c.group_id and d.currency = c.currency and d.place = 1
join reach r on r.provider = c.provider
join group_at g on g.moment = c.moment and g.group_id = c.group_id
where t.transferred_minor > c.captured_minor and d.booked_at < r.known_until and g.finding <> 'duplicate_payment'
order by c.moment, c.subject
