-- Every payment with an entry booked in the range, a row per settlement currency: who ended up with what.
--
-- The amounts are the payment's totals as known at the range's end, so sums over this report are not the day's
-- movements: those are sums over entries. The amount the customer saw is on the row of the currency that the
-- capture settled in, and on no other.
select
  f.provider, coalesce(p.account, f.account) as account, f.payment_id, coalesce(o.order_ids, '') as order_id,
  coalesce(p.charge_type, 'platform') as charge_type, coalesce(p.connected_account, p.destination,
    '') as connected_account, p.captured_at,
  case
    when p.status not in ('authorised', 'started', 'canceled') then p.status
    when f.disputed_minor > 0 then 'disputed'
    when f.refunded_minor > 0 then 'refunded'
    -- An attempt that has cost fees and brought nothing.
    when p.status is not null and f.has_capture = 0 and f.transferred_minor = 0 and f.transfer_reversed_minor = 0
      and f.application_fee_minor = 0 and f.application_fee_refunded_minor = 0 then 'failed'
    else 'captured'
  end as status,
  case when f.has_capture = 1 then p.currency else '' end as presentment_currency,
  case when f.has_capture = 1 then p.captured_minor end as presentment_amount_minor,
  f.currency, f.gross_minor, f.refunded_minor, f.disputed_minor, f.transferred_minor, f.transfer_reversed_minor,
  f.application_fee_minor, f.application_fee_refunded_minor, f.provider_fee_minor,
  f.platform_net_minor, f.connected_net_minor, f.customer_net_minor, f.provider_net_minor, f.other_net_minor,
  coalesce(d.discrepancy_id, '') as discrepancy_id
from flow f
left join payment_at p on p.moment = f.moment and p.flow_key = f.flow_key
left join payment_orders o on o.flow_key = f.flow_key
left join payment_discrepancy d on d.flow_key = f.flow_key
where f.moment = 1 and f.in_range = 1
order by f.provider, coalesce(p.account, f.account), p.captured_at nulls first, f.payment_id, f.currency
