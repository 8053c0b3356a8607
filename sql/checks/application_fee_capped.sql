-- The commission of {expected} for payment {payment_id} exceeds the payment, so the provider took the whole of it: {actual}.
--
-- Why it matters: the connected account received nothing of a sale, and the platform less than was agreed.
-- What clears it: nothing that happens later on the payment; it wants a decision.
-- Suggested action: Look up how the commission was computed, and settle the rest with the connected account.
-- Severity: medium
-- Rests on: ledger payments transfers fees
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
taken as (                             -- the fee is as large as the payment
  select pa.moment, pa.flow_key, n.group_id
  from payment_at pa
  left join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.fees > 0 and pa.fee_collected_minor > 0
    and pa.fee_collected_minor = pa.captured_minor and pa.fee_currency = pa.currency
),
suspect as (
  select distinct moment, group_id from taken
),
sold as (
  select distinct s.moment, s.group_id, pr.order_id, pr.is_comparable
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.order_id is not null
),
promise as (
  select b.moment, b.group_id, cast(sum(o.application_fee_minor) as bigint) as agreed_minor, max(o.placed_at) as placed_at
  from sold b
  join customer_order o on o.order_id = b.order_id
  group by b.moment, b.group_id
  having min(b.is_comparable) = 1 and count(*) = count(o.application_fee_minor)
),
member as (
  select distinct s.moment, s.group_id, pr.flow_key
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.flow_key is not null
),
agreed as (
  select b.moment, b.group_id, min(b.flow_key) as subject, min(pa.provider) as provider, min(pa.account) as account,
    case when count(*) = 1 then min(pa.payment_id) else min(g.payment_ids) end as payment_id, min(pa.currency) as currency,
    min(pa.connected_account) as connected_account, max(pa.captured_at) as captured_at, min(w.placed_at) as placed_at,
    min(w.agreed_minor) as agreed_minor, cast(sum(pa.fee_collected_minor) as bigint) as collected_minor
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join promise w on w.moment = b.moment and w.group_id = b.group_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.match_status <> 'pending'
  group by b.moment, b.group_id
  having min(w.agreed_minor) > sum(pa.captured_minor) and sum(pa.fee_collected_minor) = sum(pa.captured_minor)
    and min(case when pa.fee_currency = pa.currency then 1 else 0 end) = 1
),
capped as (
  select moment, group_id, subject, provider, account, payment_id, currency, connected_account, captured_at,
    greatest_of(captured_at, placed_at) as since, agreed_minor as expected_minor, collected_minor as actual_minor
  from agreed
  union all
  select pa.moment, t.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency, pa.connected_account, pa.captured_at,
    pa.captured_at, pa.asked_fee_minor, pa.fee_collected_minor
  from taken t
  join payment_at pa on pa.moment = t.moment and pa.flow_key = t.flow_key
  left join agreed a on a.moment = t.moment and a.group_id = t.group_id
  where a.group_id is null and pa.asked_fee_minor > pa.captured_minor
),
fee as (                               -- their fee objects
  select distinct c.moment, c.subject, e.record_id, e.booked_at
  from capped c
  join moment m on m.moment = c.moment
  join entry e on e.flow_key = c.subject
  where e.kind = 'application_fee' and e.booked_at < m.instant
),
named as (
  select moment, subject, max(booked_at) over (partition by moment, subject) as booked_at,
    row_number() over (partition by moment, subject order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, subject order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from fee
)
select c.moment, c.subject, c.provider, c.account, coalesce(g.order_ids, '') as order_id, c.payment_id, coalesce(l.ids, '') as record_id, c.currency,
  c.expected_minor, c.actual_minor, greatest_of(c.since, coalesce(l.booked_at, c.since)) as since, c.connected_account
from capped c
join moment m on m.moment = c.moment
join reach r on r.provider = c.provider
left join named l on l.moment = c.moment and l.subject = c.subject and l.place = 1
left join group_at g on g.moment = c.moment and g.group_id = c.group_id
where c.captured_at < r.known_until and c.since < m.instant and coalesce(g.finding, 'none') not in ('duplicate_payment', 'currency_mismatch')
order by c.moment, c.subject
