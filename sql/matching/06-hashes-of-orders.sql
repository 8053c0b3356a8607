-- The orders that carry one.
insert into order_hash (order_id, init_hash)
select o.order_id, min(o.value)
from (select distinct init_hash from payment_init_call) i
join order_payment_reference o on o.value = i.init_hash
join customer_order c on c.order_id = o.order_id and c.landed_file = o.landed_file
group by o.order_id
