-- Repeat with 40 until nothing changes: a payment takes the smallest group of its orders.
update match_node
set group_id = (
  select min(n.group_id)
  from match_link l
  join match_node n on n.node = 'o:' || l.order_id
  where l.flow_key = substr(match_node.node, 3))
where node in (
  select 'p:' || l.flow_key
  from match_link l
  join match_node n on n.node = 'o:' || l.order_id
  join match_node p on p.node = 'p:' || l.flow_key
  where n.group_id < p.group_id)
