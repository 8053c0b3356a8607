-- Surest: the order itself names an identifier of the payment that it learned at checkout.
insert into match_link (flow_key, order_id, rule, rule_rank)
select r.flow_key, o.order_id, 'payment-references', 0
from order_payment_reference o
join payment_reference r on r.value = o.value
join customer_order c on c.order_id = o.order_id and c.landed_file = o.landed_file
where true
on conflict (flow_key, order_id) do nothing
