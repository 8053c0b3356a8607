-- What a discrepancy is about, as in find.sql. $1: the discrepancy's id.
select f.place, f.kind, f.thing
from (
  select 1 as place, 'payment' as kind, q.flow_key as thing
  from discrepancy d
  join pair_at q on q.moment = 1 and q.group_id = d.subject
  where d.discrepancy_id = $1
  union
  select 1, 'order', q.order_id
  from discrepancy d
  join pair_at q on q.moment = 1 and q.group_id = d.subject
  where d.discrepancy_id = $1
  union
  select 1, 'payment', y.flow_key
  from discrepancy d
  join payment_at y on y.moment = 1 and y.payment_id = d.payment_id and (y.provider = d.provider or d.provider = '')
  where d.discrepancy_id = $1
  union
  select 1, 'order', o.order_id from discrepancy d join customer_order o on o.order_id = d.order_id
    where d.discrepancy_id = $1
  union
  select 1, 'payout', p.provider || ':' || p.payout_id
  from discrepancy d join payout p on p.payout_id = d.record_id and p.provider = d.provider where d.discrepancy_id = $1
  union
  select 3, 'record', l.provider || ':' || l.row_id
  from discrepancy d join ledger_row l on l.provider = d.provider and l.row_id = d.record_id where d.discrepancy_id = $1
) f
where f.thing is not null
order by f.place, f.kind, f.thing
