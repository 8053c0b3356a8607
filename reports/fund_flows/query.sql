-- Every payment with an entry booked in the range, a row per settlement currency: who ended up with what.
--
-- The amounts are the payment's totals as known at the range's end, so sums over this report are not the day's movements: those are sums over
-- entries. The amount the customer saw stands on the row of the currency that the capture settled in, and on no other.
with recursive
  -- The orders of each payment, joined by a space where there are several.
  claim as (
    select flow_key, order_id,
      row_number() over (partition by flow_key order by order_id) as place,
      count(*) over (partition by flow_key) as places
    from pair_at
    where moment = 1 and flow_key is not null and order_id is not null
  ),
  shared_claim as (select flow_key, order_id, place, places from claim where places > 1),
  joined (flow_key, place, places, order_ids) as (
    select flow_key, place, places, order_id from shared_claim where place = 1
    union all
    select j.flow_key, c.place, c.places, j.order_ids || ' ' || c.order_id
    from joined j
    join shared_claim c on c.flow_key = j.flow_key and c.place = j.place + 1
  ),
  paid_order as (
    select flow_key, order_id as order_ids from claim where places = 1
    union all
    select flow_key, order_ids from joined where place = places
  )
select
  f.provider, f.account, f.payment_id, coalesce(o.order_ids, '') as order_id,
  coalesce(p.charge_type, 'platform') as charge_type, coalesce(p.connected_account, p.destination, '') as connected_account, p.captured_at,
  coalesce(p.status, case when f.disputed_minor > 0 then 'disputed' when f.refunded_minor > 0 then 'refunded' else 'captured' end) as status,
  case when f.has_capture = 1 then p.currency else '' end as presentment_currency,
  case when f.has_capture = 1 then p.captured_minor end as presentment_amount_minor,
  f.currency, f.gross_minor, f.refunded_minor, f.disputed_minor, f.transferred_minor, f.transfer_reversed_minor,
  f.application_fee_minor, f.application_fee_refunded_minor, f.provider_fee_minor,
  f.platform_net_minor, f.connected_net_minor, f.customer_net_minor, f.provider_net_minor, f.other_net_minor
from flow f
left join payment_at p on p.moment = f.moment and p.flow_key = f.flow_key
left join paid_order o on o.flow_key = f.flow_key
where f.moment = 1 and f.in_range = 1
order by f.provider, f.account, p.captured_at nulls first, f.payment_id, f.currency
