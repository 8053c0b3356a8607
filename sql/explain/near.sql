-- Ids that are nearly the one asked for: in other letters, or longer. $1: the id.
select n.id
from (
  select y.payment_id as id from payment_at y where y.moment = 1
  union
  select r.refund_id from refund_at r where r.moment = 1
  union
  select o.order_id from customer_order o
  union
  select p.payout_id from payout p
  union
  select l.payment_id from ledger_row l where l.payment_id is not null
  union
  select l.source_id from ledger_row l where l.source_id is not null
  union
  select e.record_id from record_event e
  union
  select k.payout_id from kept_payout k
  union
  select p.bank_reference from payout p where p.bank_reference is not null
  union
  select t.transfer_id from transfer t
  union
  select d.discrepancy_id from discrepancy d
) n
where lower(n.id) = lower($1) or lower(substr(n.id, 1, length($1))) = lower($1)
order by n.id
limit 5
