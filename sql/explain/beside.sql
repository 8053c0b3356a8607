-- Who is beside a payment or an order by the matching, and their group: $1 the payment's flow_key or '', $2 the
-- order or ''.
select distinct o.flow_key, o.order_id, o.group_id
from pair_at p
join pair_at o on o.moment = p.moment and o.group_id = p.group_id
where p.moment = 1 and (p.flow_key = $1 or p.order_id = $2)
order by o.flow_key nulls last, o.order_id nulls last, o.group_id
