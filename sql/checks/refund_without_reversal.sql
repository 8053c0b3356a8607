-- The platform paid refunds of {refunded} on payment {payment_id}: policy recovers {expected} from {connected_account},
-- but nothing was reversed.
--
-- Why it matters: the customer was refunded, the connected account kept its share, and the platform paid for it.
-- What clears it: a transfer reversal for the refund.
-- Suggested action: Reverse the transfer by the expected amount, or record why the platform bears this refund.
-- Severity: high
-- Rests on: ledger refunds transfers
-- Also reads: payments

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'refunds', 'transfers')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
refunded as (                          -- refunds that stand, and the reversals that name them
  select f.moment, f.flow_key, cast(sum(f.amount_minor) as bigint) as amount_minor, min(f.booked_at) + 60 as first_at,
    cast(sum(f.reversed_minor) as bigint) as linked_minor
  from refund_at f
  join moment m on m.moment = f.moment
  join reach r on r.provider = f.provider
  join policy y on y.provider = f.provider
  where f.status = 'succeeded' and f.booked_at + 60 < m.instant and f.booked_at + 60 <= r.known_until
    and y.refund_reverses_transfer = 1
  group by f.moment, f.flow_key
),
undone as (                            -- reversals of refunds that do not stand
  select moment, flow_key, cast(sum(reversed_minor) as bigint) as linked_minor,
    cast(sum(case when status = 'pending' then 0 else reversed_minor end) as bigint) as failed_minor
  from refund_at
  where status <> 'succeeded'
  group by moment, flow_key
),
tally as (
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.transfer_currency,
    pa.currency, pa.charged_minor,
    pa.transferred_minor - coalesce(u.failed_minor, 0) as transferred_minor, f.amount_minor as refunded_minor,
      f.first_at, f.linked_minor,
    pa.reversed_minor - f.linked_minor - coalesce(u.linked_minor, 0) as loose_minor,
    case when exists (
      select 1 from dispute d where d.provider = pa.provider and d.payment_id = pa.payment_id
        and d.created_at < m.instant
    ) then 1 else 0 end as is_disputed,
    case when f.amount_minor >= pa.charged_minor then 1 else coalesce((
      select z.step_minor from amount_step z where z.provider = pa.provider and z.currency = pa.transfer_currency),
        1) end as step_minor
  from refunded f
  join moment m on m.moment = f.moment
  join payment_at pa on pa.moment = f.moment and pa.flow_key = f.flow_key
  left join undone u on u.moment = f.moment and u.flow_key = f.flow_key
  where pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full')
    and pa.is_captured = 1 and pa.is_covered = 1 and pa.failed_minor = 0 and pa.transfers > 0
      and pa.transfer_currency is not null
    and pa.charged_minor > 0 and f.linked_minor = 0
),
unpaid as (                            -- a reversal without a refund counts as this one's, unless a dispute explains it
  select t.moment, t.instant, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account, t.transfer_currency,
    t.currency,
    t.refunded_minor, t.first_at,
    proportion(proportion(t.transferred_minor - case when t.is_disputed = 1 then t.loose_minor else 0 end,
      least_of(t.refunded_minor, t.charged_minor), proportion(t.charged_minor, t.step_minor, 1)), t.step_minor,
        1) as expected_minor
  from tally t
  where t.is_disputed = 1 or t.loose_minor <= 0
),
named as (                             -- with their refunds
  select u.moment, u.flow_key, u.provider, u.account, u.payment_id, u.connected_account, u.transfer_currency,
    u.currency,
    u.refunded_minor, u.first_at,
    u.expected_minor,
    row_number() over (partition by u.moment, u.flow_key order by f.refund_id) as place,
    group_concat(f.refund_id, ' ') over (partition by u.moment, u.flow_key order by f.refund_id
      rows between unbounded preceding and unbounded following) as ids
  from unpaid u
  join refund_at f on f.moment = u.moment and f.flow_key = u.flow_key
  where u.expected_minor > 0 and f.status = 'succeeded' and f.booked_at is not null
)
select u.moment, u.flow_key as subject, u.provider, u.account, coalesce(g.order_ids, '') as order_id, u.payment_id,
  u.ids as record_id,
  u.transfer_currency as currency, u.expected_minor, 0 as actual_minor, u.first_at as since, u.connected_account,
  u.refunded_minor, u.currency as refunded_currency
from named u
left join match_node n on n.node = 'p:' || u.flow_key
left join group_at g on g.moment = u.moment and g.group_id = n.group_id
where u.place = 1
order by u.moment, u.flow_key
