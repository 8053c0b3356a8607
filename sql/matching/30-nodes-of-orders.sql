-- What references connect forms a group; at first every order is a group of its own, or that of the orders on the same init hash.
insert into match_node (node, group_id)
select 'o:' || c.order_id, coalesce(min('o:' || b.order_id), 'o:' || c.order_id)
from customer_order c
left join order_hash h on h.order_id = c.order_id
left join order_hash b on b.init_hash = h.init_hash
group by c.order_id
