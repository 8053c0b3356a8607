-- How many orders and payments of order_matches stand how: a count of groups per status, so that an order paid in two
-- captures counts once.
--
-- $1 is the range's first instant, $2 its end.
with
  active as (
    select flow_key from flow where moment = 1 and in_range = 1
    union
    select flow_key from payment_at where moment = 1 and captured_at >= $1 and captured_at < $2
  )
select g.match_status, count(distinct pair.group_id) as cases
from pair_at pair
join group_at g on g.moment = pair.moment and g.group_id = pair.group_id
left join customer_order o on o.order_id = pair.order_id
left join active a on a.flow_key = pair.flow_key
where pair.moment = 1 and (a.flow_key is not null or (o.placed_at >= $1 and o.placed_at < $2))
group by g.match_status
order by g.match_status
