-- A refund of payment {payment_id} failed, but its transfer reversal of {reversed} was not undone: less the commission
-- of {returned} already returned, {connected_account} is owed {owed}.
--
-- Why it matters: the customer's money is back with the platform, and so is the connected account's: the provider does
-- not undo a reversal.
-- What clears it: a transfer to the connected account, or another refund that takes the place of the failed one.
-- Suggested action: Transfer the amount owed to the connected account, or refund the customer in another way.
-- Severity: critical
-- Rests on: ledger transfers fees
-- Also reads: payments refunds
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'refunds', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
failed as (
  select f.moment, f.flow_key, f.refund_id, f.reversed_minor, f.reversal_currency,
    coalesce(f.failed_at, f.created_at) as failed_at
  from refund_at f
  join reach r on r.provider = f.provider
  where f.status in ('failed', 'canceled') and f.reversal_id is not null and f.reversed_minor > 0
    and coalesce(f.failed_at, f.created_at) < r.known_until
),
listed as (
  select moment, flow_key, row_number() over (partition by moment, flow_key order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, flow_key order by refund_id
      rows between unbounded preceding and unbounded following) as ids,
    cast(sum(reversed_minor) over (partition by moment, flow_key) as bigint) as reversed_minor,
    min(reversal_currency) over (partition by moment, flow_key) as currency,
    max(reversal_currency) over (partition by moment, flow_key) as other_currency,
    min(failed_at) over (partition by moment, flow_key) as first_at,
      max(failed_at) over (partition by moment, flow_key) as last_at,
    count(*) over (partition by moment, flow_key) as refunds
  from failed
),
standing as (                          -- with the transfers of the payment since, and the refunds that stand: either
                                       -- may have made it good
  select l.moment, l.flow_key, l.ids, l.reversed_minor, l.currency, l.last_at, l.refunds, (
      select cast(coalesce(sum(e.amount_minor), 0) as bigint) from entry e
      where e.flow_key = l.flow_key and e.kind = 'transfer' and e.currency = l.currency and e.booked_at >= l.first_at
        and e.booked_at < m.instant
    ) as sent_minor, (
      select cast(coalesce(sum(f.amount_minor), 0) as bigint) from refund_at f
      where f.moment = l.moment and f.flow_key = l.flow_key and f.status = 'succeeded' and f.booked_at is not null
    ) as refunded_minor, (
      select cast(coalesce(sum(f.reversed_minor), 0) as bigint) from refund_at f
      where f.moment = l.moment and f.flow_key = l.flow_key and f.status = 'succeeded' and f.booked_at is not null
    ) as refund_reversed_minor
  from listed l
  join moment m on m.moment = l.moment
  where l.place = 1 and l.currency = l.other_currency
),
weighed as (
  select s.moment, s.flow_key, s.ids, s.currency, s.reversed_minor, s.last_at, s.refunds, s.sent_minor,
    pa.provider, pa.account, pa.payment_id, pa.connected_account, y.proportional_minor,
    case when pa.fee_currency = s.currency then greatest_of(pa.fee_returned_minor - proportion(pa.fee_collected_minor,
      least_of(s.refunded_minor, pa.charged_minor), pa.charged_minor), 0) else 0 end as returned_minor,
    case when y.refund_reverses_transfer = 1 and pa.transfer_currency = s.currency then greatest_of(proportion(
      pa.transferred_minor - s.sent_minor, least_of(s.refunded_minor, pa.charged_minor), pa.charged_minor)
        - s.refund_reversed_minor, 0)
      else 0 end as replaced_minor
  from standing s
  join payment_at pa on pa.moment = s.moment and pa.flow_key = s.flow_key
  join policy y on y.provider = pa.provider
  where pa.failed_minor = 0 and pa.charged_minor > 0
),
owed as (
  select moment, flow_key, ids, provider, account, payment_id, connected_account, currency, reversed_minor,
    returned_minor, last_at,
    sent_minor,
    reversed_minor - returned_minor - replaced_minor as expected_minor,
    case when sent_minor > 0 or replaced_minor > 0 then proportion(proportional_minor, refunds, 1)
      else 0 end as tolerance_minor
  from weighed
)
select o.moment, o.flow_key as subject, o.provider, o.account, coalesce(g.order_ids, '') as order_id, o.payment_id,
  o.ids as record_id,
  o.currency,
  o.expected_minor, o.sent_minor as actual_minor, o.last_at as since, o.connected_account, o.reversed_minor,
    o.returned_minor,
  o.expected_minor - o.sent_minor as owed_minor
from owed o
left join match_node n on n.node = 'p:' || o.flow_key
left join group_at g on g.moment = o.moment and g.group_id = n.group_id
where o.expected_minor - o.sent_minor > o.tolerance_minor
order by o.moment, o.flow_key
