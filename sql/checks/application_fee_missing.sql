-- A commission of {expected} was agreed for payment {payment_id}, and none was collected: {connected_account} received {transferred}.
--
-- Why it matters: the connected account holds the platform's commission.
-- What clears it: an application fee object on the payment; taking the amount back in another way wants a decision.
-- Suggested action: Collect the commission from the connected account, and look up why checkout asked for none.
-- Severity: high
-- Rests on: ledger payments transfers fees

-- What belongs together is booked within seconds, on both sides of midnight too: a minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
feeless as (                           -- transferred by the charge itself, and no fee object came back
  select pa.moment, pa.flow_key, n.group_id
  from payment_at pa
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  left join match_node n on n.node = 'p:' || pa.flow_key
  where pa.charge_type in ('destination_application_fee', 'destination_full') and pa.is_captured = 1 and pa.is_covered = 1
    and pa.failed_minor = 0 and pa.captured_minor > 0 and pa.fees = 0 and pa.transfers > 0 and p.destination is not null
),
suspect as (
  select distinct moment, group_id from feeless
),
sold as (
  select distinct s.moment, s.group_id, pr.order_id, pr.is_comparable
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.order_id is not null
),
promise as (                           -- the commission that the group's orders agreed on, where all of them say
  select b.moment, b.group_id, cast(sum(o.application_fee_minor) as bigint) as agreed_minor, max(o.placed_at) as placed_at,
    min(o.currency) as currency
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
agreed as (                            -- groups whose payments all speak of fee objects: their sum is held against the orders' sum
  select b.moment, b.group_id, min(b.flow_key) as subject, min(pa.provider) as provider, min(pa.account) as account,
    case when count(*) = 1 then min(pa.payment_id) else min(g.payment_ids) end as payment_id, min(w.currency) as currency,
    min(pa.connected_account) as connected_account, max(pa.captured_at) as captured_at, min(w.placed_at) as placed_at,
    min(w.agreed_minor) as agreed_minor, max(pa.fees) as fees,
    cast(sum(pa.transferred_minor) as bigint) as transferred_minor, min(pa.transfer_currency) as transfer_currency
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join promise w on w.moment = b.moment and w.group_id = b.group_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.match_status <> 'pending'
  group by b.moment, b.group_id
  having min(case when pa.charge_type in ('destination_application_fee', 'destination_full') and p.destination is not null
    and pa.transfers > 0 then 1 else 0 end) = 1
),
missing as (
  select moment, group_id, subject, provider, account, payment_id, currency, connected_account, captured_at,
    greatest_of(captured_at + 60, placed_at) as since, agreed_minor as expected_minor, transferred_minor, transfer_currency
  from agreed
  where agreed_minor > 0 and fees = 0
  union all
  select pa.moment, f.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency, pa.connected_account, pa.captured_at,
    pa.captured_at + 60, least_of(pa.asked_fee_minor, pa.captured_minor), pa.transferred_minor, pa.transfer_currency
  from feeless f
  join payment_at pa on pa.moment = f.moment and pa.flow_key = f.flow_key
  left join agreed a on a.moment = f.moment and a.group_id = f.group_id
  where a.group_id is null and pa.asked_fee_minor > 0
)
select f.moment, f.subject, f.provider, f.account, coalesce(g.order_ids, '') as order_id, f.payment_id, '' as record_id, f.currency,
  f.expected_minor, 0 as actual_minor, f.since, f.connected_account, f.transferred_minor, coalesce(f.transfer_currency, f.currency) as transferred_currency
from missing f
join moment m on m.moment = f.moment
join reach r on r.provider = f.provider
left join group_at g on g.moment = f.moment and g.group_id = f.group_id
where f.captured_at + 60 <= r.known_until and f.since < m.instant and coalesce(g.finding, 'none') not in ('duplicate_payment', 'currency_mismatch')
order by f.moment, f.subject
