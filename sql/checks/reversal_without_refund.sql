-- Transfers of payment {payment_id} were reversed by {actual} from {connected_account}; refunds explain {expected} of
-- it, and there is no dispute.
--
-- Why it matters: the connected account lacks money that it earned.
-- What clears it: a transfer of the amount back, or the refund or dispute that the reversal was for.
-- Suggested action: Find out who reversed the named transfers and why, and transfer the difference back.
-- Severity: high
-- Rests on: ledger payments refunds disputes
-- Also reads: transfers

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'refunds', 'transfers', 'disputes')
  group by source
  having count(*) = 5 and min(is_asked) = 1
),
refunded as (                          -- the refunds of a payment; one that does not stand has its own finding
  select f.moment, f.flow_key, count(*) as refunds, cast(sum(f.amount_minor) as bigint) as amount_minor,
    max(case when f.status = 'succeeded' and f.booked_at is not null then 0 else 1 end) as is_unsure
  from refund_at f
  group by f.moment, f.flow_key
),
reversed as (                          -- payments that were reversed by more than their refunds alone explain
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.transfer_currency,
    pa.transferred_minor,
    pa.reversed_minor, r.known_until, n.group_id,
    proportion(y.proportional_minor, proportion(coalesce(f.refunds, 0), coalesce(z.step_minor, 1), 1),
      1) as tolerance_minor,
    proportion(proportion(pa.transferred_minor, least_of(coalesce(f.amount_minor, 0), pa.charged_minor),
      proportion(pa.charged_minor, coalesce(z.step_minor, 1), 1)), coalesce(z.step_minor, 1), 1) as called_minor,
    least_of(case when pa.transfer_currency = pa.currency then pa.captured_minor else pa.settlement_captured_minor end,
      case when pa.transfer_currency = pa.currency and pa.asked_transfer_minor is not null then pa.asked_transfer_minor
        else pa.transferred_minor end) as due_minor,
    case when pa.transfer_currency = pa.currency then pa.captured_minor end as captured_minor, pa.charge_type
  from payment_at pa
  join moment m on m.moment = pa.moment
  join reach r on r.provider = pa.provider
  join policy y on y.provider = pa.provider
  left join refunded f on f.moment = pa.moment and f.flow_key = pa.flow_key
  left join amount_step z on z.provider = pa.provider and z.currency = pa.transfer_currency
    and f.amount_minor < pa.charged_minor
  left join match_node n on n.node = 'p:' || pa.flow_key
  where pa.reversed_minor > 0 and pa.charged_minor > 0 and pa.is_captured = 1 and pa.is_covered = 1
    and pa.failed_minor = 0
    and pa.transfer_currency is not null and coalesce(f.is_unsure, 0) = 0
    and pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full')
    and not exists (select 1 from dispute d where d.provider = pa.provider and d.payment_id = pa.payment_id
      and d.created_at < m.instant)
),
excess as (                            -- a transfer that was too large, or sent twice, may be corrected by a reversal
  select v.moment, v.instant, v.flow_key, v.provider, v.account, v.payment_id, v.connected_account, v.transfer_currency,
    v.group_id,
    v.known_until,
    v.reversed_minor, v.tolerance_minor, v.called_minor + greatest_of(v.transferred_minor - case
      when v.charge_type = 'destination_transfer_amount' and g.orders = 1 and g.payments = 1
        and o.currency = v.transfer_currency
        then least_of(v.due_minor, coalesce(v.captured_minor - o.application_fee_minor, v.due_minor))
      else v.due_minor end, 0) as explained_minor
  from reversed v
  left join group_at g on g.moment = v.moment and g.group_id = v.group_id
  left join customer_order o on o.order_id = g.order_ids
),
reversal as (                          -- their reversals: those that name no refund are named first
  select x.moment, x.flow_key, x.provider, x.account, x.payment_id, x.connected_account, x.transfer_currency,
    x.group_id, x.explained_minor,
    x.tolerance_minor, e.record_id, e.booked_at, case when f.refund_id is null then 1 else 0 end as is_loose,
    max(case when f.refund_id is null then 1 else 0 end) over (partition by x.moment, x.flow_key) as has_loose,
    cast(sum(e.amount_minor) over (partition by x.moment, x.flow_key) as bigint) as reversed_minor
  from excess x
  join entry e on e.flow_key = x.flow_key
  left join refund_at f on f.moment = x.moment and f.flow_key = x.flow_key and f.reversal_id = e.record_id
  where x.reversed_minor - x.explained_minor > x.tolerance_minor
    and e.kind = 'transfer_reversal' and e.booked_at + 60 < x.instant and e.booked_at + 60 <= x.known_until
),
named as (
  select moment, flow_key, provider, account, payment_id, connected_account, transfer_currency, group_id,
    explained_minor, reversed_minor,
    max(booked_at) over (partition by moment, flow_key) as booked_at,
    row_number() over (partition by moment, flow_key order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, flow_key order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from reversal
  where is_loose = has_loose and reversed_minor - explained_minor > tolerance_minor
)
select x.moment, x.flow_key as subject, x.provider, x.account, coalesce(g.order_ids, '') as order_id, x.payment_id,
  x.ids as record_id,
  x.transfer_currency as currency, x.explained_minor as expected_minor, x.reversed_minor as actual_minor,
    x.booked_at + 60 as since,
  x.connected_account
from named x
left join group_at g on g.moment = x.moment and g.group_id = x.group_id
where x.place = 1
order by x.moment, x.flow_key
