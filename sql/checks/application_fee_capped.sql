-- The commission of {expected} for payment {payment_id} exceeds the payment, so the provider took the whole of it:
-- {actual}.
--
-- Why it matters: the connected account received nothing of a sale, and the platform less than was agreed.
-- What clears it: no later event on the payment; it needs a decision.
-- Suggested action: Check how the commission was computed, and settle the rest with the connected account.
-- Severity: medium
-- Rests on: ledger payments matches
-- Also reads: transfers fees
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
suspect as (                           -- the fee is as large as the payment
  select distinct pa.moment, n.group_id
  from payment_at pa
  join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.fees > 0 and pa.fee_collected_minor > 0
    and pa.fee_collected_minor = pa.captured_minor and pa.fee_currency = pa.currency
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
    b.placed_at, b.agreed_minor, pa.asked_fee_minor, pa.captured_minor, pa.fee_collected_minor, g.order_ids,
      g.payment_ids,
    row_number() over (partition by b.moment, b.group_id order by pa.flow_key) as place,
    count(*) over (partition by b.moment, b.group_id) as payments,
    max(pa.captured_at) over (partition by b.moment, b.group_id) as last_captured_at,
    cast(sum(pa.captured_minor) over (partition by b.moment, b.group_id) as bigint) as all_captured_minor,
    cast(sum(pa.fee_collected_minor) over (partition by b.moment, b.group_id) as bigint) as all_collected_minor,
    min(case when g.match_status <> 'pending' and pa.fee_currency = pa.currency then 1 else 0 end)
      over (partition by b.moment, b.group_id) as is_summed,
    case when pa.fee_currency = pa.currency and pa.fee_collected_minor = pa.captured_minor
      and pa.fee_collected_minor > 0
      then 1 else 0 end as is_taken
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.finding not in ('duplicate_payment', 'currency_mismatch')
),
judged as (
  select moment, group_id, flow_key, provider, account, payment_id, currency, connected_account, captured_at, placed_at,
    agreed_minor,
    asked_fee_minor, captured_minor, fee_collected_minor, order_ids, payment_ids, place, payments, last_captured_at,
      all_collected_minor,
    is_taken,
    case when is_summed = 1 and agreed_minor > all_captured_minor and all_collected_minor = all_captured_minor then 1
      else 0 end as is_agreed
  from paid
),
capped as (                            -- per group by what was agreed, else per payment by what its charge asked for
  select moment, flow_key, provider, account, order_ids,
    case when payments = 1 then payment_id else payment_ids end as payment_id,
    currency,
    agreed_minor as expected_minor, all_collected_minor as actual_minor,
      greatest_of(last_captured_at, placed_at) as since,
    last_captured_at as captured_at, connected_account
  from judged
  where is_agreed = 1 and place = 1
  union all
  select moment, flow_key, provider, account, order_ids, payment_id, currency, asked_fee_minor, fee_collected_minor,
    captured_at,
    captured_at,
    connected_account
  from judged
  where is_agreed = 0 and is_taken = 1 and asked_fee_minor > captured_minor
),
named as (                             -- with their fee objects
  select w.moment, w.flow_key, w.provider, w.account, w.order_ids, w.payment_id, w.currency, w.expected_minor,
    w.actual_minor, w.since,
    w.captured_at, w.connected_account, m.instant,
    row_number() over (partition by w.moment, w.flow_key order by e.record_id) as place,
    group_concat(e.record_id, ' ') over (partition by w.moment, w.flow_key order by e.record_id
      rows between unbounded preceding and unbounded following) as ids,
    max(e.booked_at) over (partition by w.moment, w.flow_key) as booked_at
  from capped w
  join moment m on m.moment = w.moment
  join entry e on e.flow_key = w.flow_key and e.kind = 'application_fee' and e.booked_at < m.instant
)
select n.moment, n.flow_key as subject, n.provider, n.account, n.order_ids as order_id, n.payment_id,
  n.ids as record_id, n.currency,
  n.expected_minor, n.actual_minor, greatest_of(n.since, n.booked_at) as since, n.connected_account
from named n
join reach r on r.provider = n.provider
where n.place = 1 and n.captured_at < r.known_until and n.since < n.instant
order by n.moment, n.flow_key
