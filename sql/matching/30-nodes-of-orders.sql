-- What references connect forms a group; at first every order is a group of its own.
insert into match_node (node, group_id)
select 'o:' || c.order_id, 'o:' || c.order_id
from customer_order c
