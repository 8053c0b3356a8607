-- Refunds of {refunded} on payment {payment_id} require {expected} of its commission of {collected}
-- to be returned to {connected_account}; {actual} was returned.
--
-- Why it matters: policy returns the commission with a refund; without that the connected account bears it and may be
-- overdrawn.
-- What clears it: a refund of the application fee.
-- Suggested action: Refund the missing part of the application fee, or record why it is kept.
-- Severity: medium
-- Rests on: ledger fees refunds
-- Also reads: payments transfers

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'refunds', 'transfers', 'fees')
  group by source
  having count(*) = 5 and min(is_asked) = 1
),
refunded as (                          -- refunds that stand; where some were reversed, the others are under_reversed
                                       -- and not reported here
  select f.moment, f.flow_key, cast(sum(f.amount_minor) as bigint) as amount_minor, count(*) as refunds,
    max(f.booked_at) + 60 as last_at,
    cast(sum(case when f.reversal_id is not null then f.amount_minor else 0 end) as bigint) as linked_amount_minor,
    cast(sum(case when f.reversal_id is not null then 1 else 0 end) as bigint) as linked,
    max(case when f.reversal_id is not null then f.booked_at end) + 60 as linked_last_at,
    min(y.refund_reverses_transfer) as refund_reverses_transfer, min(y.proportional_minor) as proportional_minor
  from refund_at f
  join moment m on m.moment = f.moment
  join reach r on r.provider = f.provider
  join policy y on y.provider = f.provider
  where f.status = 'succeeded' and f.booked_at + 60 < m.instant and f.booked_at + 60 <= r.known_until
    and y.refund_returns_application_fee = 1
  group by f.moment, f.flow_key
),
kept as (
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account, pa.currency,
    pa.fee_currency,
    pa.fee_collected_minor, pa.fee_returned_minor,
    case when f.linked > 0 then f.linked_amount_minor else f.amount_minor end as refunded_minor,
    case when f.linked > 0 then f.linked_last_at else f.last_at end as last_at,
    proportion(f.proportional_minor, proportion(case when f.linked > 0 then f.linked else f.refunds end,
      coalesce(z.step_minor, 1), 1), 1)
      as tolerance_minor,
    proportion(proportion(pa.fee_collected_minor, least_of(case when f.linked > 0 then f.linked_amount_minor
    else f.amount_minor end, pa.charged_minor),
      proportion(pa.charged_minor, coalesce(z.step_minor, 1), 1)), coalesce(z.step_minor, 1), 1) as expected_minor
  from refunded f
  join moment m on m.moment = f.moment
  join payment_at pa on pa.moment = f.moment and pa.flow_key = f.flow_key
  left join amount_step z on z.provider = pa.provider and z.currency = pa.fee_currency
    -- of a whole refund nothing is rounded
    and case when f.linked > 0 then f.linked_amount_minor else f.amount_minor end < pa.charged_minor
  where pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full')
    and pa.is_captured = 1 and pa.is_covered = 1 and pa.failed_minor = 0 and pa.charged_minor > 0 and pa.fees > 0
      and pa.fee_currency is not null
    and not exists (                   -- a refund that does not stand says nothing about the fee returned with it
      select 1 from refund_at u where u.moment = f.moment and u.flow_key = f.flow_key and u.status <> 'succeeded')
    and (pa.reversed_minor > 0 or f.refund_reverses_transfer = 0)
    and (f.refund_reverses_transfer = 0 or f.linked > 0 or not exists (
      select 1 from dispute d where d.provider = pa.provider and d.payment_id = pa.payment_id
        and d.created_at < m.instant))
),
short as (                             -- what the ledger holds in another currency than the fee's does not count
  select k.moment, k.instant, k.flow_key, k.provider, k.account, k.payment_id, k.connected_account, k.currency,
    k.fee_currency,
    k.fee_collected_minor, k.fee_returned_minor, k.refunded_minor, k.last_at, k.expected_minor
  from kept k
  where k.expected_minor - k.fee_returned_minor > k.tolerance_minor
    and not exists (
      select 1 from entry e
      where e.flow_key = k.flow_key and e.kind in ('application_fee', 'application_fee_refund')
        and e.currency <> k.fee_currency)
),
named as (                             -- with their fee objects
  select s.moment, s.flow_key, s.provider, s.account, s.payment_id, s.connected_account, s.currency, s.fee_currency,
    s.fee_collected_minor,
    s.fee_returned_minor, s.refunded_minor, s.last_at, s.expected_minor,
    row_number() over (partition by s.moment, s.flow_key order by e.record_id) as place,
    group_concat(e.record_id, ' ') over (partition by s.moment, s.flow_key order by e.record_id
      rows between unbounded preceding and unbounded following) as ids
  from short s
  join entry e on e.flow_key = s.flow_key and e.kind = 'application_fee' and e.booked_at < s.instant
)
select s.moment, s.flow_key as subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  s.ids as record_id,
  s.fee_currency as currency, s.expected_minor, s.fee_returned_minor as actual_minor, s.last_at as since,
    s.connected_account,
  s.refunded_minor, s.currency as refunded_currency, s.fee_collected_minor as collected_minor
from named s
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where s.place = 1
order by s.moment, s.flow_key
