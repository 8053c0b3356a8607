-- Payment {payment_id} captured {captured}, of which {expected} is owed to {connected_account}, but there is no
-- transfer: {cause}.
--
-- Why it matters: the connected account made a sale and was not paid; its money is in the platform's balance.
-- What clears it: a transfer that is linked to the payment or names its order; a full refund of the payment, after
-- which nothing is owed.
-- Suggested action: Check that the connected account can receive transfers, then send it what it is owed with the
-- order's id in the metadata.
-- Severity: critical
-- Rests on: ledger transfers
-- Also reads: payments
with reach as (                        -- how far transfers are known, where they are asked for
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers')
  group by source
  having count(*) = 3 and min(is_asked) = 1
),
untransferred as (                     -- captured money that is not wholly refunded and of which nothing went anywhere
  select pa.moment, m.instant, n.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency,
    pa.captured_at,
    pa.captured_minor, pa.refunded_minor, pa.disputed_minor, pa.destination, pa.asked_transfer_minor,
      pa.asked_fee_minor,
    r.known_until, y.order_paid_within, y.settle_within,
    case when pa.charge_type in ('separate', 'platform') then 'promised' when p.destination is null then 'skipped'
      else 'lost' end as way
  from payment_at pa
  join moment m on m.moment = pa.moment
  join reach r on r.provider = pa.provider
  join policy y on y.provider = pa.provider
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join match_node n on n.node = 'p:' || pa.flow_key
  where pa.is_captured = 1 and pa.is_covered = 1 and pa.transfers = 0 and pa.failed_minor = 0
    and pa.captured_minor > pa.refunded_minor and pa.captured_at < r.known_until
    and (pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full')
      or pa.charge_type in ('separate', 'platform') and pa.captured_at + y.settle_within < m.instant and not exists (
        select 1                       -- where the provider splits what it captures, wrong_destination reports it
        from record_event e
        where e.provider = pa.provider and e.subject = 'payment' and e.record_id = pa.payment_id
          and e.state = 'captured' and e.part <> '')
      and exists (
        select 1
        from pair_at pr
        join customer_order o on o.order_id = pr.order_id
        where pr.moment = pa.moment and pr.flow_key = pa.flow_key and o.seller_account is not null))
),
beside as (                            -- each with the orders of its group
  select distinct u.moment, u.instant, u.group_id, u.flow_key, u.provider, u.account, u.payment_id, u.currency,
    u.captured_at,
    u.captured_minor,
    u.refunded_minor, u.disputed_minor, u.destination, u.asked_transfer_minor, u.asked_fee_minor, u.known_until,
      u.order_paid_within,
    u.settle_within, u.way, pr.order_id, pr.is_comparable
  from untransferred u
  join pair_at pr on pr.moment = u.moment and pr.group_id = u.group_id
),
promised as (                          -- what they say of the seller and the commission, where they can be compared
  select b.moment, b.instant, b.group_id, b.flow_key, b.provider, b.account, b.payment_id, b.currency, b.captured_at,
    b.captured_minor,
    b.refunded_minor, b.disputed_minor, b.destination, b.asked_transfer_minor, b.asked_fee_minor, b.known_until,
      b.order_paid_within,
    b.settle_within, b.way, max(o.placed_at) as placed_at,
    case when min(b.is_comparable) = 1 and count(distinct o.seller_account) = 1
      then min(o.seller_account) end as seller_account,
    case when min(b.is_comparable) = 1 and count(b.order_id) = count(o.application_fee_minor)
      then cast(sum(o.application_fee_minor) as bigint) end as agreed_minor
  from beside b
  left join customer_order o on o.order_id = b.order_id
  group by b.moment, b.instant, b.group_id, b.flow_key, b.provider, b.account, b.payment_id, b.currency, b.captured_at,
    b.captured_minor,
    b.refunded_minor, b.disputed_minor, b.destination, b.asked_transfer_minor, b.asked_fee_minor, b.known_until,
      b.order_paid_within,
    b.settle_within, b.way
),
owed as (                              -- a destination charge by itself; else the whole group, none of it transferred
  select moment, group_id, flow_key, provider, account, payment_id, currency, instant, known_until,
    destination as connected_account,
    way, captured_minor, refunded_minor, captured_at + case way when 'lost' then order_paid_within else 0 end as due_at,
    coalesce(least_of(asked_transfer_minor, captured_minor),
      captured_minor - coalesce(asked_fee_minor, agreed_minor, 0)) as whole_minor
  from promised
  where way <> 'promised'
  union all
  select u.moment, u.group_id, min(u.flow_key), min(u.provider), min(u.account),
    case when count(*) = 1 then min(u.payment_id) else '' end,
    min(u.currency), min(u.instant), min(u.known_until), min(u.seller_account), 'promised',
      cast(sum(u.captured_minor) as bigint),
    cast(sum(u.refunded_minor) as bigint), greatest_of(max(u.captured_at + u.settle_within), max(u.placed_at)),
    cast(sum(u.captured_minor) as bigint) - coalesce(min(u.agreed_minor), 0)
  from promised u
  where u.way = 'promised' and u.seller_account is not null and not exists (
    select 1
    from pair_at pr
    join payment_at pa on pa.moment = pr.moment and pa.flow_key = pr.flow_key
    where pr.moment = u.moment and pr.group_id = u.group_id and pa.transfers > 0)
  group by u.moment, u.group_id
  having max(u.disputed_minor) <= 0
)
select o.moment, o.flow_key as subject, o.provider, o.account, g.order_ids as order_id,
  case when o.payment_id = '' then g.payment_ids else o.payment_id end as payment_id, '' as record_id, o.currency,
  proportion(greatest_of(o.whole_minor, 0), o.captured_minor - o.refunded_minor, o.captured_minor) as expected_minor,
    0 as actual_minor,
  o.due_at as since, o.connected_account, o.captured_minor,
  case o.way when 'skipped' then 'the provider skipped it when the charge was made'
    when 'lost' then 'the charge still names its destination'
    else 'none was sent within the settlement deadline' end as cause
from owed o
join group_at g on g.moment = o.moment and g.group_id = o.group_id
where o.due_at < o.instant and o.due_at <= o.known_until and o.whole_minor > 0 and g.finding <> 'duplicate_payment'
order by o.moment, o.flow_key
