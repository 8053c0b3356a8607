-- Order {order_id} was sold by {connected_account}, but of the {expected} transferred for payment {payment_id} only {actual} went there;
-- {elsewhere} received the rest.
--
-- Why it matters: one connected account holds the money of another; after a payout it may not be possible to take it back.
-- What clears it: the wrong transfers reversed in full.
-- Suggested action: Reverse the named transfers and transfer the amount to the order's seller.
-- Severity: critical
-- Rests on: ledger transfers orders
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'transfers')
  group by source
  having count(*) = 2 and min(is_asked) = 1
),
suspect as (                           -- payments with a transfer that may not be for the seller of the order beside it
  select distinct pr.moment, pr.group_id, pr.flow_key
  from pair_at pr
  join payment_at pa on pa.moment = pr.moment and pa.flow_key = pr.flow_key
  join customer_order o on o.order_id = pr.order_id
  where pr.is_comparable = 1 and pa.transfers > 0 and o.seller_account is not null
    and (pa.transfers > 1 or pa.connected_account <> o.seller_account)
),
member as (                            -- every order of the group may have its own seller
  select distinct s.moment, s.group_id, o.order_id, o.seller_account, o.placed_at
  from (select distinct moment, group_id from suspect) s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  join customer_order o on o.order_id = pr.order_id
),
promise as (
  select moment, group_id, min(seller_account) as seller_account, max(placed_at) as placed_at
  from member
  group by moment, group_id
  having count(*) = count(seller_account)
),
movement as (                          -- transfers and what was reversed of each
  select s.moment, s.group_id, s.flow_key, e.provider, e.record_id as transfer_id, e.connected_account, e.currency, e.amount_minor, e.booked_at
  from suspect s
  join moment m on m.moment = s.moment
  join entry e on e.flow_key = s.flow_key
  where e.kind = 'transfer' and e.booked_at < m.instant
  union all
  select s.moment, s.group_id, s.flow_key, e.provider, coalesce(v.transfer_id, e.record_id), e.connected_account, e.currency, - e.amount_minor, null
  from suspect s
  join moment m on m.moment = s.moment
  join entry e on e.flow_key = s.flow_key
  left join transfer_reversal v on v.provider = e.provider and v.reversal_id = e.record_id
  where e.kind = 'transfer_reversal' and e.booked_at < m.instant
),
standing as (
  select moment, group_id, flow_key, provider, transfer_id, min(connected_account) as connected_account, min(currency) as currency,
    cast(sum(amount_minor) as bigint) as amount_minor, min(booked_at) as booked_at
  from movement
  group by moment, group_id, flow_key, provider, transfer_id
),
judged as (
  select t.moment, t.group_id, t.flow_key, t.provider, t.transfer_id, t.connected_account, t.currency, t.amount_minor, t.booked_at,
    w.seller_account, w.placed_at,
    case when exists (select 1 from member b where b.moment = t.moment and b.group_id = t.group_id and b.seller_account = t.connected_account)
      then 1 else 0 end as is_right
  from standing t
  join promise w on w.moment = t.moment and w.group_id = t.group_id
  where t.amount_minor > 0
),
named as (
  select moment, flow_key, row_number() over (partition by moment, flow_key order by transfer_id) as place,
    group_concat(transfer_id, ' ') over (partition by moment, flow_key order by transfer_id
      rows between unbounded preceding and unbounded following) as ids
  from judged
  where is_right = 0
),
summed as (
  select moment, group_id, flow_key, provider, min(seller_account) as seller_account, min(placed_at) as placed_at,
    min(case when is_right = 0 then booked_at end) as booked_at,
    min(case when is_right = 0 then connected_account end) as first_account, max(case when is_right = 0 then connected_account end) as last_account,
    case when min(currency) = max(currency) then min(currency) end as currency,
    cast(sum(amount_minor) as bigint) as transferred_minor, cast(sum(case when is_right = 1 then amount_minor else 0 end) as bigint) as right_minor
  from judged
  group by moment, group_id, flow_key, provider
  having sum(1 - is_right) > 0
)
select s.moment, s.flow_key as subject, s.provider, pa.account, coalesce(g.order_ids, '') as order_id, pa.payment_id, l.ids as record_id,
  coalesce(s.currency, '') as currency, case when s.currency is not null then s.transferred_minor end as expected_minor,
  case when s.currency is not null then s.right_minor end as actual_minor, greatest_of(s.booked_at, s.placed_at) as since, s.seller_account as connected_account,
  case when s.first_account = s.last_account then s.first_account else s.first_account || ' and ' || s.last_account end as elsewhere
from summed s
join named l on l.moment = s.moment and l.flow_key = s.flow_key and l.place = 1
join payment_at pa on pa.moment = s.moment and pa.flow_key = s.flow_key
join reach r on r.provider = s.provider
left join group_at g on g.moment = s.moment and g.group_id = s.group_id
where s.booked_at < r.known_until
order by s.moment, s.flow_key
