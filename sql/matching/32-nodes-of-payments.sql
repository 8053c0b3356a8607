-- A payment begins in the group of its first order, or alone.
insert into match_node (node, group_id)
select 'p:' || p.flow_key, coalesce(min('o:' || l.order_id), 'p:' || p.flow_key)
from (select distinct y.flow_key from payment_at y where y.moment = 1) p
left join match_link l on l.flow_key = p.flow_key
group by p.flow_key
