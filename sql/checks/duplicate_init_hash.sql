-- Orders {order_id} ({expected} due) carry one payment_init_hash, {record_id}, and {actual} was captured: paid once,
-- served {times} times.
--
-- Why it matters: each further order on a hash is delivered unpaid, and whoever found out how can repeat it.
-- What clears it: the orders too many being cancelled, or carrying the hash of a payment of their own.
-- Suggested action: Operations: cancel or charge the orders that nobody paid; Engineering: refuse a hash that an order
-- already carries.
-- Severity: critical
-- Rests on: nothing
-- Also reads: orders payment_inits
with shared as (                        -- the hashes on more than one order of a group, each order still to be served
  select g.moment, g.group_id, h.init_hash, count(*) as orders, min(c.currency) as currency,
    min(c.seller_account) as first_account, max(c.seller_account) as last_account
  from group_at g
  join moment m on m.moment = g.moment
  join match_node n on n.group_id = g.group_id
  join order_hash h on n.node = 'o:' || h.order_id
  join customer_order c on c.order_id = h.order_id and c.placed_at < m.instant
    and c.status not in ('pending', 'cancelled')
  where g.finding = 'duplicate_init_hash'
  group by g.moment, g.group_id, h.init_hash
  having count(*) > 1
),
listed as (
  select moment, group_id, max(orders) over (partition by moment, group_id) as orders,
    min(currency) over (partition by moment, group_id) as currency,
    min(first_account) over (partition by moment, group_id) as first_account,
    max(last_account) over (partition by moment, group_id) as last_account,
    group_concat(init_hash, ' ') over (partition by moment, group_id order by init_hash
      rows between unbounded preceding and unbounded following) as hashes,
    row_number() over (partition by moment, group_id order by init_hash) as place
  from shared
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  l.hashes as record_id,
  coalesce(g.payment_currency, g.order_currency, l.currency, '') as currency, g.tender_minor as expected_minor,
  g.captured_minor as actual_minor, g.since, case when l.first_account = l.last_account then l.first_account
    else '' end as connected_account,
  cast(l.orders as text) as times
from group_at g
join listed l on l.moment = g.moment and l.group_id = g.group_id and l.place = 1
where g.finding = 'duplicate_init_hash'
order by g.moment, g.group_id
