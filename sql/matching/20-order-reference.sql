-- The payment names the order in one of the provider's `order_reference` fields, tried in their order; what a surer rule matched stays.
insert into match_link (flow_key, order_id, rule, rule_rank)
select f.flow_key, f.order_id, 'order-reference', f.order_rank
from (
  select r.flow_key, c.order_id, r.order_rank, min(r.order_rank) over (partition by r.flow_key) as best_rank
  from payment_reference r
  join customer_order c on c.order_id = r.value
  left join match_link l on l.flow_key = r.flow_key
  where r.order_rank is not null and l.flow_key is null
) f
where f.order_rank = f.best_rank
