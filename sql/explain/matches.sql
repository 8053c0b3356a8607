-- The match of a payment or an order and the rule that made it. $1: flow_key or '', $2: order or ''.
select coalesce(p.order_id, ''), coalesce(y.payment_id, ''), g.match_status, coalesce(p.rule, ''), g.finding
from pair_at p
join group_at g on g.moment = p.moment and g.group_id = p.group_id
left join payment_at y on y.moment = p.moment and y.flow_key = p.flow_key
where p.moment = 1 and (p.flow_key = $1 or p.order_id = $2)
order by p.order_id nulls last, y.payment_id nulls last
