-- Order {order_id} was sold by {connected_account}, but it received only {actual} of the {expected} transferred for
-- payment {payment_id}; {elsewhere} received the rest.
--
-- Why it matters: one connected account holds the money of another; after a payout it may not be possible to take it
-- back.
-- What clears it: the wrong transfers reversed in full.
-- Suggested action: Reverse the named transfers and transfer the amount to the order's seller.
-- Severity: critical
-- Rests on: ledger transfers
-- Also reads: orders
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
promise as (                           -- every order of the group may have its own seller; all of them have to say
  select s.moment, m.instant, s.group_id, s.flow_key, min(o.seller_account) as seller_account,
    max(o.placed_at) as placed_at
  from suspect s
  join moment m on m.moment = s.moment
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  join customer_order o on o.order_id = pr.order_id
  group by s.moment, m.instant, s.group_id, s.flow_key
  having count(*) = count(o.seller_account)
),
movement as (                          -- transfers, and what was reversed of each
  select w.moment, w.group_id, w.flow_key, w.seller_account, w.placed_at, e.provider, e.account, e.payment_id,
    e.record_id as transfer_id,
    e.connected_account, e.currency, e.amount_minor, e.booked_at
  from promise w
  join entry e on e.flow_key = w.flow_key and e.kind = 'transfer' and e.booked_at < w.instant
  union all
  select w.moment, w.group_id, w.flow_key, w.seller_account, w.placed_at, e.provider, e.account, e.payment_id,
    coalesce(v.transfer_id, e.record_id), e.connected_account, e.currency, - e.amount_minor, null
  from promise w
  join entry e on e.flow_key = w.flow_key and e.kind = 'transfer_reversal' and e.booked_at < w.instant
  left join transfer_reversal v on v.provider = e.provider and v.reversal_id = e.record_id
),
standing as (
  select moment, group_id, flow_key, provider, transfer_id, min(account) as account, min(payment_id) as payment_id,
    min(seller_account) as seller_account, min(placed_at) as placed_at, min(connected_account) as connected_account,
    min(currency) as currency, cast(sum(amount_minor) as bigint) as amount_minor, min(booked_at) as booked_at
  from movement
  group by moment, group_id, flow_key, provider, transfer_id
  having sum(amount_minor) > 0
),
kept as (                              -- accounts that still hold something of the payment: a reversal need not name
                                       -- the transfer that it undoes
  select moment, flow_key, connected_account
  from movement
  group by moment, flow_key, connected_account
  having sum(amount_minor) > 0
),
judged as (
  select t.moment, t.group_id, t.flow_key, t.provider, t.account, t.payment_id, t.transfer_id, t.connected_account,
    t.currency,
    t.amount_minor,
    t.booked_at, t.seller_account, t.placed_at, case when exists (
      select 1
      from pair_at pr
      join customer_order o on o.order_id = pr.order_id
      where pr.moment = t.moment and pr.group_id = t.group_id and o.seller_account = t.connected_account
    ) then 0 else 1 end as is_wrong
  from standing t
  join kept k on k.moment = t.moment and k.flow_key = t.flow_key and k.connected_account = t.connected_account
),
summed as (
  select moment, group_id, flow_key, provider, account, payment_id, seller_account, placed_at,
    row_number() over (partition by moment, flow_key order by transfer_id) as place,
    group_concat(case when is_wrong = 1 then transfer_id end, ' ')
      over (partition by moment, flow_key order by transfer_id
      rows between unbounded preceding and unbounded following) as ids,
    max(is_wrong) over (partition by moment, flow_key) as is_wrong,
    min(case when is_wrong = 1 then booked_at end) over (partition by moment, flow_key) as booked_at,
    min(case when is_wrong = 1 then connected_account end) over (partition by moment, flow_key) as first_account,
    max(case when is_wrong = 1 then connected_account end) over (partition by moment, flow_key) as last_account,
    min(currency) over (partition by moment, flow_key) as currency,
      max(currency) over (partition by moment, flow_key) as other_currency,
    cast(sum(amount_minor) over (partition by moment, flow_key) as bigint) as transferred_minor,
    cast(sum(case when is_wrong = 1 then 0 else amount_minor end)
      over (partition by moment, flow_key) as bigint) as right_minor
  from judged
),
misrouted as (                         -- the provider split what it captured, and the order's seller has no share of it
  select pa.moment, pa.flow_key, pa.provider, pa.account, pa.payment_id, pr.group_id, pa.currency,
    min(o.seller_account) as seller_account,
    pa.captured_minor - case when count(*) = count(o.application_fee_minor)
      then least_of(cast(sum(o.application_fee_minor) as bigint), pa.captured_minor) else 0 end as due_minor,
    greatest_of(pa.captured_at, max(o.placed_at)) as since
  from payment_at pa
  join pair_at pr on pr.moment = pa.moment and pr.flow_key = pa.flow_key and pr.is_comparable = 1
  join customer_order o on o.order_id = pr.order_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.transfers = 0 and exists (
    select 1
    from record_event e
    where e.provider = pa.provider and e.subject = 'payment' and e.record_id = pa.payment_id and e.state = 'captured'
      and e.part <> '')
  group by pa.moment, pa.flow_key, pa.provider, pa.account, pa.payment_id, pr.group_id, pa.currency, pa.captured_minor,
    pa.captured_at
  having count(*) = count(o.seller_account) and min(o.seller_account) = max(o.seller_account)
)
select s.moment as moment, s.flow_key as subject, s.provider, s.account, g.order_ids as order_id, s.payment_id,
  s.ids as record_id,
  case when s.currency = s.other_currency then s.currency else '' end as currency,
  case when s.currency = s.other_currency then s.transferred_minor end as expected_minor,
  case when s.currency = s.other_currency then s.right_minor end as actual_minor,
  greatest_of(s.booked_at, s.placed_at) as since, s.seller_account as connected_account,
  case when s.first_account = s.last_account then s.first_account
    else s.first_account || ' and ' || s.last_account end as elsewhere
from summed s
join reach r on r.provider = s.provider
join group_at g on g.moment = s.moment and g.group_id = s.group_id
where s.place = 1 and s.is_wrong = 1          -- a transfer that says where it went is no claim of something missing
  and (s.booked_at <= r.known_until or s.first_account <> 'unknown' and s.last_account <> 'unknown')
union all
select w.moment, w.flow_key, w.provider, w.account, g.order_ids, w.payment_id, '', w.currency, w.due_minor, 0, w.since,
  w.seller_account,
  'the platform''s own account'
from misrouted w
join reach r on r.provider = w.provider
join moment m on m.moment = w.moment
join group_at g on g.moment = w.moment and g.group_id = w.group_id
where w.since < m.instant and w.since <= r.known_until
order by moment, subject
