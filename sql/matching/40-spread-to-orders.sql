-- Repeat with 42 until nothing changes: an order takes the smallest group of its payments.
update match_node
set group_id = (
  select min(n.group_id)
  from match_link l
  join match_node n on n.node = 'p:' || l.flow_key
  where l.order_id = substr(match_node.node, 3))
where node in (
  select 'o:' || l.order_id
  from match_link l
  join match_node n on n.node = 'p:' || l.flow_key
  join match_node o on o.node = 'o:' || l.order_id
  where n.group_id < o.group_id)
