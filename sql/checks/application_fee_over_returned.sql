-- The commission of payment {payment_id} is {collected}: {actual} was returned to {connected_account}; its refunds
-- require {expected}.
--
-- Why it matters: the platform gave away commission that it had earned.
-- What clears it: a refund that requires it; a returned fee cannot be collected again.
-- Suggested action: Find out who refunded the application fee, and settle the difference with the connected account.
-- Severity: high
-- Rests on: ledger payments refunds disputes
-- Also reads: transfers fees

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'refunds', 'transfers', 'fees', 'disputes')
  group by source
  having count(*) = 6 and min(is_asked) = 1
),
refunded as (                          -- a refund that does not stand says nothing about the fee returned with it
  select moment, flow_key, count(*) as refunds, cast(sum(amount_minor) as bigint) as amount_minor,
    max(case when status = 'succeeded' and booked_at is not null then 0 else 1 end) as is_unsure
  from refund_at
  group by moment, flow_key
),
returned as (
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.fee_currency,
    pa.fee_collected_minor,
    r.known_until, proportion(y.proportional_minor, proportion(coalesce(f.refunds, 0), coalesce(z.step_minor, 1), 1),
      1) as tolerance_minor,
    proportion(proportion(pa.fee_collected_minor, least_of(coalesce(f.amount_minor, 0), pa.charged_minor),
      proportion(pa.charged_minor, coalesce(z.step_minor, 1), 1)), coalesce(z.step_minor, 1), 1) as expected_minor
  from payment_at pa
  join moment m on m.moment = pa.moment
  join reach r on r.provider = pa.provider
  join policy y on y.provider = pa.provider
  left join refunded f on f.moment = pa.moment and f.flow_key = pa.flow_key
  left join amount_step z on z.provider = pa.provider and z.currency = pa.fee_currency
    and f.amount_minor < pa.charged_minor
  where pa.fee_returned_minor > 0 and pa.fees > 0 and pa.fee_currency is not null and pa.is_captured = 1
    and pa.is_covered = 1
    and pa.failed_minor = 0 and pa.charged_minor > 0 and coalesce(f.is_unsure, 0) = 0
    and not exists (select 1 from dispute d where d.provider = pa.provider and d.payment_id = pa.payment_id
      and d.created_at < m.instant)
),
fee_refund as (                        -- in the order they were booked, with what had been returned by then
  select t.moment, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account, t.fee_currency,
    t.fee_collected_minor,
    t.expected_minor,
    e.record_id, e.booked_at, t.expected_minor + t.tolerance_minor as limit_minor,
    cast(sum(e.amount_minor) over (partition by t.moment, t.flow_key order by e.booked_at, e.entry_id
      rows between unbounded preceding and current row) as bigint) as total_minor,
    cast(sum(e.amount_minor) over (partition by t.moment, t.flow_key) as bigint) as returned_minor
  from returned t
  join entry e on e.flow_key = t.flow_key and e.kind = 'application_fee_refund' and e.currency = t.fee_currency
    and e.booked_at + 60 < t.instant and e.booked_at + 60 <= t.known_until
),
beyond as (
  select moment, flow_key, provider, account, payment_id, connected_account, fee_currency, fee_collected_minor,
    expected_minor,
    returned_minor,
    min(booked_at) over (partition by moment, flow_key) as booked_at,
    row_number() over (partition by moment, flow_key order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, flow_key order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from fee_refund
  where returned_minor > limit_minor and total_minor > limit_minor
)
select t.moment, t.flow_key as subject, t.provider, t.account, coalesce(g.order_ids, '') as order_id, t.payment_id,
  t.ids as record_id,
  t.fee_currency as currency, t.expected_minor, t.returned_minor as actual_minor, t.booked_at + 60 as since,
    t.connected_account,
  t.fee_collected_minor as collected_minor
from beyond t
left join match_node n on n.node = 'p:' || t.flow_key
left join group_at g on g.moment = t.moment and g.group_id = n.group_id
where t.place = 1
order by t.moment, t.flow_key
