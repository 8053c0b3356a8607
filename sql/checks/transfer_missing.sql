-- Payment {payment_id} captured {captured} and {expected} of it is owed to {connected_account}, but there is no transfer: {cause}.
--
-- Why it matters: the connected account has sold and was not paid; its money lies in the platform's balance.
-- What clears it: a transfer that is linked to the payment or names its order; a full refund of the payment, after which nothing is owed.
-- Suggested action: Check that the connected account can receive transfers, then send it what it is owed with the order's id in the metadata.
-- Severity: critical
-- Rests on: ledger payments transfers
with reach as (                        -- how far transfers are known, where they are asked for
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers')
  group by source
  having count(*) = 3 and min(is_asked) = 1
),
untransferred as (                     -- captured money that is not wholly refunded and of which nothing went anywhere
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency, pa.captured_at,
    pa.captured_minor, pa.refunded_minor, pa.disputed_minor, pa.destination, pa.asked_transfer_minor, pa.asked_fee_minor,
    r.known_until, y.order_paid_within, y.settle_within, n.group_id,
    case when pa.charge_type in ('separate', 'platform') then 'promised' when p.destination is null then 'skipped' else 'lost' end as way
  from payment_at pa
  join moment m on m.moment = pa.moment
  join reach r on r.provider = pa.provider
  join policy y on y.provider = pa.provider
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  left join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.is_covered = 1 and pa.transfers = 0 and pa.failed_minor = 0
    and pa.captured_minor > pa.refunded_minor and pa.captured_at < r.known_until
    and pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full', 'separate', 'platform')
),
member as (                            -- the orders of their groups
  select distinct u.moment, u.group_id, pr.order_id, pr.is_comparable
  from (select distinct moment, group_id from untransferred) u
  join pair_at pr on pr.moment = u.moment and pr.group_id = u.group_id
  where pr.order_id is not null
),
promise as (
  select b.moment, b.group_id, min(b.is_comparable) as is_comparable, max(o.placed_at) as placed_at,
    min(o.seller_account) as seller_account, count(distinct o.seller_account) as sellers,
    case when count(*) = count(o.application_fee_minor) then cast(sum(o.application_fee_minor) as bigint) end as agreed_minor
  from member b
  join customer_order o on o.order_id = b.order_id
  group by b.moment, b.group_id
),
served as (                            -- groups of which another payment was transferred: its transfers may be for the whole group
  select distinct u.moment, u.group_id
  from (select distinct moment, group_id from untransferred where way = 'promised') u
  join pair_at pr on pr.moment = u.moment and pr.group_id = u.group_id
  join payment_at pa on pa.moment = pr.moment and pa.flow_key = pr.flow_key
  where pa.transfers > 0
),
owed as (
  select u.moment, u.instant, u.flow_key as subject, u.provider, u.account, u.payment_id, u.currency, u.group_id, u.destination as connected_account,
    u.way, u.captured_minor, u.refunded_minor, u.known_until,
    u.captured_at + case u.way when 'lost' then u.order_paid_within else 0 end as due_at,
    coalesce(least_of(u.asked_transfer_minor, u.captured_minor),
      u.captured_minor - coalesce(u.asked_fee_minor, case when w.is_comparable = 1 then w.agreed_minor end, 0)) as whole_minor
  from untransferred u
  left join promise w on w.moment = u.moment and w.group_id = u.group_id
  where u.way <> 'promised'
  union all
  select u.moment, min(u.instant), min(u.flow_key), min(u.provider), min(u.account), min(u.payment_id), min(u.currency), u.group_id, min(w.seller_account),
    'promised', cast(sum(u.captured_minor) as bigint), cast(sum(u.refunded_minor) as bigint), min(u.known_until),
    greatest_of(max(u.captured_at + u.settle_within), max(w.placed_at)),
    cast(sum(u.captured_minor) as bigint) - coalesce(min(w.agreed_minor), 0)
  from untransferred u
  join promise w on w.moment = u.moment and w.group_id = u.group_id
  left join served s on s.moment = u.moment and s.group_id = u.group_id
  where u.way = 'promised' and w.is_comparable = 1 and w.sellers = 1 and s.group_id is null
  group by u.moment, u.group_id
  having max(u.disputed_minor) <= 0
)
select o.moment, o.subject, o.provider, o.account, coalesce(g.order_ids, '') as order_id,
  case when o.way = 'promised' then coalesce(g.payment_ids, o.payment_id) else o.payment_id end as payment_id, '' as record_id, o.currency,
  proportion(greatest_of(o.whole_minor, 0), o.captured_minor - o.refunded_minor, o.captured_minor) as expected_minor, 0 as actual_minor,
  o.due_at as since, o.connected_account, o.captured_minor,
  case o.way when 'skipped' then 'the provider skipped it when the charge was made' when 'lost' then 'the charge still names its destination'
    else 'none was sent by the time it should have been settled' end as cause
from owed o
left join group_at g on g.moment = o.moment and g.group_id = o.group_id
where o.due_at < o.instant and o.due_at <= o.known_until and o.whole_minor > 0
  and coalesce(g.finding, 'none') <> 'duplicate_payment'
order by o.moment, o.subject
