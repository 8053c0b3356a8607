-- Every fee entry booked in the range: what the providers charged, the commissions collected, and the commissions that
-- no fee object reports.
--
-- A fee returned is negative (view fee_line). $1 is the range's first instant, $2 its end.
select
  l.provider, l.account, coalesce(l.payment_id, '') as payment_id, coalesce(o.order_ids, '') as order_id,
    l.row_id as record_id,
  l.fee_type, coalesce(l.description, '') as description, l.currency, l.amount_minor, l.booked_at,
    coalesce(p.method, '') as method
from fee_line l
left join payment_orders o on o.flow_key = l.flow_key
left join payment p on p.provider = l.provider and p.payment_id = l.payment_id
where l.booked_at >= $1 and l.booked_at < $2
order by l.provider, l.account, l.booked_at, l.row_id, l.entry_id, l.fee_type, l.description nulls first, l.amount_minor
