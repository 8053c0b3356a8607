-- Who stands beside whom: every order and payment of a group that a reference connects, and those that stand alone.
-- An authorisation or a started approval stands beside its order only while nothing was captured for it.
insert into pair_at (moment, group_id, order_id, flow_key, rule, is_comparable)
with placed as (
  select m.moment, n.group_id, c.order_id
  from moment m
  join customer_order c on c.placed_at < m.instant
  join match_node n on n.node = 'o:' || c.order_id
), paid as (
  select y.moment, n.group_id, y.flow_key, y.is_captured
  from payment_at y
  join match_node n on n.node = 'p:' || y.flow_key
  join group_at g on g.moment = y.moment and g.group_id = n.group_id
  where y.is_captured = 1 or (y.status in ('authorised', 'started') and (g.payments = 0 or y.status = 'authorised'))
), pairs as (
  select o.moment, o.group_id, o.order_id, p.flow_key, l.rule
  from placed o
  join match_link l on l.order_id = o.order_id
  join paid p on p.moment = o.moment and p.flow_key = l.flow_key
), everyone as (
  select moment, group_id, order_id, flow_key, rule from pairs
  union all
  select o.moment, o.group_id, o.order_id, null, null
  from placed o
  left join pairs q on q.moment = o.moment and q.order_id = o.order_id
  where q.order_id is null
  union all
  select p.moment, p.group_id, null, p.flow_key, null
  from paid p
  left join pairs q on q.moment = p.moment and q.flow_key = p.flow_key
  where q.flow_key is null and p.is_captured = 1
)
select e.moment, e.group_id, e.order_id, e.flow_key, e.rule,
  case when g.order_currency = g.payment_currency and g.finding not in ('duplicate_payment', 'duplicate_init_hash', 'ambiguous_match', 'currency_mismatch') then 1 else 0 end
from everyone e
join group_at g on g.moment = e.moment and g.group_id = e.group_id
