-- A commission of {expected} was agreed for payment {payment_id}, and none was collected: {connected_account} received
-- {transferred}.
--
-- Why it matters: the connected account holds the platform's commission.
-- What clears it: an application fee object on the payment; collecting the amount in another way needs a decision.
-- Suggested action: Collect the commission from the connected account, and find out why checkout asked for none.
-- Severity: high
-- Rests on: ledger payments transfers fees matches

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
suspect as (                           -- transferred by the charge itself, and no fee object came back
  select distinct pa.moment, n.group_id
  from payment_at pa
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join match_node n on n.node = 'p:' || pa.flow_key
  where pa.charge_type in ('destination_application_fee', 'destination_full') and pa.is_captured = 1
    and pa.is_covered = 1
    and pa.failed_minor = 0 and pa.captured_minor > 0 and pa.fees = 0 and pa.transfers > 0 and p.destination is not null
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
paid as (                              -- their payments, each with what its group sums to
  select b.moment, b.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency, pa.connected_account,
    pa.captured_at,
    b.placed_at, b.agreed_minor, pa.asked_fee_minor, pa.captured_minor, pa.transferred_minor, pa.transfer_currency,
      pa.fees, g.order_ids,
    g.payment_ids, g.order_currency,
    row_number() over (partition by b.moment, b.group_id order by pa.flow_key) as place,
    count(*) over (partition by b.moment, b.group_id) as payments,
    max(pa.captured_at) over (partition by b.moment, b.group_id) as last_captured_at,
    max(pa.fees) over (partition by b.moment, b.group_id) as most_fees,
    sum(pa.transferred_minor) over (partition by b.moment, b.group_id) as all_transferred_minor,
    case when pa.is_covered = 1 and pa.transfers > 0 and p.destination is not null
      and pa.charge_type in ('destination_application_fee', 'destination_full') then 1 else 0 end as is_whole,
    min(case when g.match_status <> 'pending' and b.agreed_minor is not null and pa.transfers > 0
      and p.destination is not null
      and pa.charge_type in ('destination_application_fee', 'destination_full') then 1 else 0 end)
      over (partition by b.moment, b.group_id) as is_agreed
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.finding not in ('duplicate_payment', 'currency_mismatch')
),
missing as (                           -- per group where its orders say what was agreed, else per payment what its
                                       -- charge asked for
  select moment, flow_key, provider, account, order_ids,
    case when payments = 1 then payment_id else payment_ids end as payment_id,
    order_currency as currency, agreed_minor as expected_minor, greatest_of(last_captured_at + 60, placed_at) as since,
    last_captured_at as captured_at,
    connected_account, cast(all_transferred_minor as bigint) as transferred_minor, transfer_currency
  from paid
  where is_agreed = 1 and place = 1 and agreed_minor > 0 and most_fees = 0
  union all
  select moment, flow_key, provider, account, order_ids, payment_id, currency,
    least_of(asked_fee_minor, captured_minor), captured_at + 60,
    captured_at, connected_account, transferred_minor, transfer_currency
  from paid
  where is_agreed = 0 and is_whole = 1 and fees = 0 and asked_fee_minor > 0 and captured_minor > 0
)
select f.moment, f.flow_key as subject, f.provider, f.account, f.order_ids as order_id, f.payment_id, '' as record_id,
  f.currency,
  f.expected_minor, 0 as actual_minor, f.since, f.connected_account, f.transferred_minor,
  coalesce(f.transfer_currency, f.currency) as transferred_currency
from missing f
join moment m on m.moment = f.moment
join reach r on r.provider = f.provider
where f.captured_at + 60 <= r.known_until and f.since < m.instant
order by f.moment, f.flow_key
