-- What an id stands for: the payments and orders whose story it belongs to, or the payout itself. $1: any id.
select f.flow_key, f.order_id, f.payout_id
from (
  select p.flow_key, null as order_id, null as payout_id from payment p where p.payment_id = $1 or p.intent_id = $1 or p.flow_key = $1
  union
  select r.flow_key, null, null from payment_reference r where r.value = $1
  union
  select y.flow_key, null, null from payment_at y where y.payment_id = $1
  union
  select r.flow_key, null, null from refund_at r where r.refund_id = $1 or r.reversal_id = $1
  union
  select e.flow_key, null, null from entry e where e.row_id = $1 or e.record_id = $1 or e.entry_id = $1
  union
  select t.provider || ':' || j.payment_id, null, null
  from transfer t join payment_transfer j on j.provider = t.provider and j.transfer_id = t.transfer_id where t.transfer_id = $1
  union
  select l.provider || ':' || l.payment_id, null, null from row_link l where l.record_id = $1 or l.row_id = $1
  union
  select d.provider || ':' || d.payment_id, null, null from dispute d where d.dispute_id = $1
  union
  select f.provider || ':' || f.payment_id, null, null from application_fee f where f.fee_id = $1
  union
  select null, o.order_id, null from customer_order o where o.order_id = $1
  union
  select null, h.order_id, null from order_hash h where h.init_hash = $1
  union
  select null, r.order_id, null from order_refund r where r.refund_id = $1
  union
  select null, null, p.payout_id from payout p where p.payout_id = $1
  union
  select q.flow_key, q.order_id, null
  from discrepancy d
  join group_at g on g.moment = 1 and d.subject = g.group_id
  join pair_at q on q.moment = 1 and q.group_id = g.group_id
  where d.discrepancy_id = $1
  union
  select y.flow_key, null, null from discrepancy d join payment_at y on y.moment = 1 and y.payment_id = d.payment_id where d.discrepancy_id = $1
  union
  select null, o.order_id, null from discrepancy d join customer_order o on o.order_id = d.order_id where d.discrepancy_id = $1
  union
  select null, null, p.payout_id from discrepancy d join payout p on p.payout_id = d.record_id where d.discrepancy_id = $1
) f
where f.flow_key is not null or f.order_id is not null or f.payout_id is not null
order by f.flow_key nulls last, f.order_id nulls last, f.payout_id nulls last
