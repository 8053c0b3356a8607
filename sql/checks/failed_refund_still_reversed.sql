-- A refund of payment {payment_id} failed, but the reversal of {reversed} made for it stands: with the commission of {returned} that
-- went back, {connected_account} is owed {owed}.
--
-- Why it matters: the customer's money is back with the platform, and so is the connected account's: the provider does not undo a reversal.
-- What clears it: a transfer to the connected account, or another refund that takes the place of the failed one.
-- Suggested action: Transfer the amount owed to the connected account, or refund the customer in another way.
-- Severity: critical
-- Rests on: ledger refunds transfers fees
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'refunds', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
failed as (
  select f.moment, f.flow_key, f.refund_id, f.reversed_minor, f.reversal_currency, coalesce(f.failed_at, f.created_at) as failed_at
  from refund_at f
  join reach r on r.provider = f.provider
  where f.status in ('failed', 'canceled') and f.reversal_id is not null and f.reversed_minor > 0
    and coalesce(f.failed_at, f.created_at) < r.known_until
),
standing as (
  select moment, flow_key, cast(sum(reversed_minor) as bigint) as reversed_minor, min(reversal_currency) as currency,
    min(failed_at) as first_at, max(failed_at) as last_at, count(*) as refunds
  from failed
  group by moment, flow_key
  having min(reversal_currency) = max(reversal_currency)
),
named as (
  select moment, flow_key, row_number() over (partition by moment, flow_key order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, flow_key order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from failed
),
sent_again as (                        -- transfers of the payment since the failure
  select s.moment, s.flow_key, cast(sum(e.amount_minor) as bigint) as amount_minor
  from standing s
  join moment m on m.moment = s.moment
  join entry e on e.flow_key = s.flow_key
  where e.kind = 'transfer' and e.currency = s.currency and e.booked_at >= s.first_at and e.booked_at < m.instant
  group by s.moment, s.flow_key
),
refunded as (                          -- refunds that stand: they may have taken the place of the failed one
  select f.moment, f.flow_key, cast(sum(f.amount_minor) as bigint) as amount_minor, cast(sum(f.reversed_minor) as bigint) as reversed_minor
  from refund_at f
  join standing s on s.moment = f.moment and s.flow_key = f.flow_key
  where f.status = 'succeeded' and f.booked_at is not null
  group by f.moment, f.flow_key
),
weighed as (
  select s.moment, s.flow_key, s.currency, s.reversed_minor, s.last_at, s.refunds, coalesce(t.amount_minor, 0) as sent_minor,
    pa.provider, pa.account, pa.payment_id, pa.connected_account, y.proportional_minor,
    case when pa.fee_currency = s.currency and pa.charged_minor > 0 then greatest_of(pa.fee_returned_minor - proportion(pa.fee_collected_minor,
      least_of(coalesce(f.amount_minor, 0), pa.charged_minor), greatest_of(pa.charged_minor, 1)), 0) else 0 end as returned_minor,
    case when y.refund_reverses_transfer = 1 and pa.transfer_currency = s.currency and pa.charged_minor > 0
      then greatest_of(proportion(pa.transferred_minor - coalesce(t.amount_minor, 0), least_of(coalesce(f.amount_minor, 0), pa.charged_minor),
        greatest_of(pa.charged_minor, 1)) - coalesce(f.reversed_minor, 0), 0) else 0 end as replaced_minor
  from standing s
  join payment_at pa on pa.moment = s.moment and pa.flow_key = s.flow_key
  join policy y on y.provider = pa.provider
  left join sent_again t on t.moment = s.moment and t.flow_key = s.flow_key
  left join refunded f on f.moment = s.moment and f.flow_key = s.flow_key
  where pa.failed_minor = 0
),
owed as (
  select moment, flow_key, provider, account, payment_id, connected_account, currency, reversed_minor, returned_minor, last_at, refunds, sent_minor,
    reversed_minor - returned_minor - replaced_minor as expected_minor,
    case when sent_minor > 0 or replaced_minor > 0 then proportion(proportional_minor, refunds, 1) else 0 end as tolerance_minor
  from weighed
)
select o.moment, o.flow_key as subject, o.provider, o.account, coalesce(g.order_ids, '') as order_id, o.payment_id, l.ids as record_id, o.currency,
  o.expected_minor, o.sent_minor as actual_minor, o.last_at as since, o.connected_account, o.reversed_minor, o.returned_minor,
  o.expected_minor - o.sent_minor as owed_minor
from owed o
join named l on l.moment = o.moment and l.flow_key = o.flow_key and l.place = 1
left join match_node n on n.node = 'p:' || o.flow_key
left join group_at g on g.moment = o.moment and g.group_id = n.group_id
where o.expected_minor - o.sent_minor > o.tolerance_minor
order by o.moment, o.flow_key
