-- The commission collected from {connected_account} for payment {payment_id} is {actual}; {expected} was agreed for
-- order {order_id}: a difference of {difference}.
--
-- Why it matters: the platform earned more or less than its contract with the connected account says.
-- What clears it: a corrected order; returning a part of the fee does not change what was collected and needs a
-- decision.
-- Suggested action: Settle the difference with the connected account, and check how checkout computed the commission.
-- Severity: high
-- Rests on: ledger payments transfers fees matches
-- Also reads: orders
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
suspect as (                           -- one order and one payment that differ, or a group of several
  select distinct pr.moment, pr.group_id
  from pair_at pr
  join payment_at pa on pa.moment = pr.moment and pa.flow_key = pr.flow_key
  join customer_order o on o.order_id = pr.order_id
  join group_at g on g.moment = pr.moment and g.group_id = pr.group_id
  where pr.is_comparable = 1 and pa.is_captured = 1 and pa.fees > 0 and o.application_fee_minor is not null
    and (pa.fee_collected_minor <> o.application_fee_minor or g.payments > 1 or g.orders > 1)
),
sold as (                              -- the orders of their groups; a payment may have none
  select distinct s.moment, s.group_id, pr.order_id, pr.is_comparable
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
),
promise as (                           -- the commission that a group's orders agreed on, where all of them say and they
                                       -- can be compared
  select b.moment, b.group_id, max(o.placed_at) as placed_at,
    case when min(b.is_comparable) = 1 and count(b.order_id) > 0 and count(b.order_id) = count(o.application_fee_minor)
      then cast(sum(o.application_fee_minor) as bigint) end as agreed_minor
  from sold b
  left join customer_order o on o.order_id = b.order_id
  group by b.moment, b.group_id
),
member as (
  select distinct w.moment, w.group_id, w.placed_at, w.agreed_minor, pr.flow_key
  from promise w
  join pair_at pr on pr.moment = w.moment and pr.group_id = w.group_id
  where pr.flow_key is not null
),
collected as (                         -- groups whose payments all refer to fee objects, in the orders' currency, and
                                       -- none of them is capped
  select b.moment, b.group_id, min(b.flow_key) as flow_key, min(pa.provider) as provider, min(pa.account) as account,
    case when count(*) = 1 then min(pa.payment_id) else min(g.payment_ids) end as payment_id,
      min(g.order_ids) as order_ids,
    min(g.order_currency) as currency, min(pa.connected_account) as connected_account,
      max(pa.captured_at) as captured_at,
    min(b.placed_at) as placed_at, min(b.agreed_minor) as agreed_minor,
      cast(sum(pa.fee_collected_minor) as bigint) as collected_minor,
    cast(sum(pa.captured_minor) as bigint) as captured_minor, min(g.finding) as finding,
      min(g.tender_minor) as tender_minor
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where b.agreed_minor is not null and pa.is_captured = 1 and pa.failed_minor = 0 and g.match_status <> 'pending'
  group by b.moment, b.group_id
  having sum(case
    when pa.charge_type not in ('destination_application_fee', 'destination_full') or p.destination is null
      or pa.transfers = 0 then 1
    when pa.fees > 0 and coalesce(pa.fee_currency, '') <> g.order_currency then 1
    when pa.asked_fee_minor > pa.captured_minor and pa.fee_collected_minor = pa.captured_minor then 1
    else 0 end) = 0
),
wrong as (                             -- a payment that is too small or too large itself may carry its share of it
  select moment, group_id, flow_key, provider, account, payment_id, order_ids, currency, connected_account, captured_at,
    placed_at,
    agreed_minor, collected_minor
  from collected
  where collected_minor > 0 and collected_minor <> agreed_minor
    and not (agreed_minor > captured_minor and collected_minor = captured_minor)
    and not (finding = 'amount_mismatch' and collected_minor = proportion(agreed_minor, captured_minor,
      greatest_of(tender_minor, 1)))
),
fee as (                               -- their fee objects
  select distinct w.moment, w.flow_key, w.provider, w.account, w.payment_id, w.order_ids, w.currency,
    w.connected_account, w.captured_at,
    w.placed_at, w.agreed_minor, w.collected_minor, e.record_id, e.booked_at
  from wrong w
  join moment m on m.moment = w.moment
  join pair_at pr on pr.moment = w.moment and pr.group_id = w.group_id
  join entry e on e.flow_key = pr.flow_key and e.kind = 'application_fee' and e.booked_at < m.instant
),
named as (
  select w.moment, w.flow_key, w.provider, w.account, w.payment_id, w.order_ids, w.currency, w.connected_account,
    w.captured_at,
    w.placed_at,
    w.agreed_minor, w.collected_minor,
    row_number() over (partition by w.moment, w.flow_key order by w.record_id) as place,
    group_concat(w.record_id, ' ') over (partition by w.moment, w.flow_key order by w.record_id
      rows between unbounded preceding and unbounded following) as ids,
    max(w.booked_at) over (partition by w.moment, w.flow_key) as booked_at
  from fee w
)
select n.moment, n.flow_key as subject, n.provider, n.account, n.order_ids as order_id, n.payment_id,
  n.ids as record_id, n.currency,
  n.agreed_minor as expected_minor, n.collected_minor as actual_minor,
  greatest_of(greatest_of(n.captured_at, n.placed_at), n.booked_at) as since, n.connected_account
from named n
join reach r on r.provider = n.provider
where n.place = 1 and n.captured_at < r.known_until
order by n.moment, n.flow_key
