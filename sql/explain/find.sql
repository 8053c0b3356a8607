-- What an id may stand for. $1: any id. place: 1 its own id, 2 a name or reference that others may share, 3 a record of
-- no payment. kind and thing: payment (its flow_key), order (its id), payout, account, connected account and record
-- (provider:id).
select f.place, f.kind, f.thing
from (
  select 1 as place, 'payment' as kind, p.flow_key as thing from payment p where p.payment_id = $1 or p.intent_id = $1
    or p.flow_key = $1
  union
  select 1, 'payment', y.flow_key from payment_at y where y.payment_id = $1 or y.intent_id = $1
  union
  select 1, 'payment', r.flow_key from refund_at r where r.refund_id = $1 or r.reversal_id = $1
  union
  select 1, 'payment', e.flow_key from entry e where e.flow_key is not null
    and (e.row_id = $1 or e.row_name = $1 or e.record_id = $1 or e.entry_id = $1)
  union
  select 1, 'payment', j.provider || ':' || j.payment_id from payment_transfer j where j.transfer_id = $1
  union
  select 1, 'payment', j.provider || ':' || j.payment_id
  from transfer_reversal v join payment_transfer j on j.provider = v.provider and j.transfer_id = v.transfer_id
    where v.reversal_id = $1
  union
  select 1, 'payment', l.provider || ':' || l.payment_id from row_link l where l.payment_id is not null
    and (l.record_id = $1 or l.row_id = $1)
  union
  select 1, 'payment', d.provider || ':' || d.payment_id from dispute d where d.payment_id is not null
    and d.dispute_id = $1
  union
  select 1, 'payment', d.flow_key from dispute_at d where d.moment = 1 and d.dispute_id = $1
  union
  select 1, 'payment', f.provider || ':' || f.payment_id from application_fee f where f.payment_id is not null
    and f.fee_id = $1
  union
  select 1, 'payment', f.provider || ':' || f.payment_id
  from application_fee_refund u join application_fee f on f.provider = u.provider and f.fee_id = u.fee_id
  where f.payment_id is not null and u.fee_refund_id = $1
  union
  select 1, 'payment', p.flow_key
  from record_event e join payment p on p.provider = e.provider and p.payment_id = e.payment_id where e.event_id = $1
    or e.record_id = $1
  union
  select 2, 'payment', r.flow_key from payment_reference r where r.value = $1
  union
  select 1, 'order', o.order_id from customer_order o where o.order_id = $1
  union
  select 2, 'order', h.order_id from order_hash h where h.init_hash = $1
  union
  select 1, 'order', r.order_id from order_refund r where r.refund_id = $1 or r.order_id = $1
  union
  select 1, 'payout', p.provider || ':' || p.payout_id
  from payout p where p.payout_id = $1 or p.row_id = $1 or p.failure_row_id = $1
  union
  select 1, 'payout', s.provider || ':' || s.payout_id from payout_step s where s.row_id = $1
  union
  select 1, 'payout', b.provider || ':' || b.batch_id
  from settlement_batch b where b.batch_id = $1 or cast(b.number as text) = $1
  union
  select 2, 'payout', p.provider || ':' || p.payout_id from payout p where p.bank_reference = $1 or p.arrival_on = $1
  union
  select 2, 'payout', p.provider || ':' || p.payout_id
  from payout p join business_day d on p.created_at >= d.starts_at and p.created_at < d.ends_at where d.day = $1
  union
  select 1, 'account', b.provider || ':' || b.account from balance_at b where b.account = $1
  union
  select 1, 'account', e.provider || ':' || e.account from record_event e where e.account = $1
  union
  select 1, 'connected account', b.provider || ':' || b.connected_account from balance_at b
    where b.connected_account = $1
  union
  select 1, 'connected account', t.provider || ':' || t.connected_account from transfer t where t.connected_account = $1
  union
  select 1, 'connected account', y.provider || ':' || y.connected_account from payment_at y
    where y.connected_account = $1 or y.destination = $1
  union
  select 1, 'connected account', e.provider || ':' || e.connected_account from entry e where e.connected_account = $1
  union
  select 3, 'record', l.provider || ':' || $1
  from ledger_row l where l.row_id = $1 or l.row_name = $1 or l.source_id = $1 or l.record_id = $1
  union
  select 3, 'record', e.provider || ':' || e.row_id from entry e where e.flow_key is null and e.entry_id = $1
  union
  select 3, 'record', t.provider || ':' || $1 from transfer t where t.transfer_id = $1
  union
  select 3, 'record', v.provider || ':' || $1 from transfer_reversal v where v.reversal_id = $1
  union
  select 3, 'record', a.provider || ':' || $1 from application_fee a where a.fee_id = $1
  union
  select 3, 'record', u.provider || ':' || $1 from application_fee_refund u where u.fee_refund_id = $1
  union
  select 3, 'record', r.provider || ':' || $1 from refund r where r.refund_id = $1
  union
  select 3, 'record', d.provider || ':' || $1 from dispute d where d.dispute_id = $1
  union
  select 3, 'record', i.provider || ':' || $1 from intent i where i.intent_id = $1
  union
  select 3, 'record', e.provider || ':' || $1 from record_event e where e.event_id = $1 or e.record_id = $1
  union
  select 3, 'record', c.source || ':' || $1 from payment_init_call c where c.init_hash = $1
  union
  select 3, 'record', q.source || ':' || $1 from quarantine q where q.record_id = $1 or q.location = $1
  union
  select 3, 'record', k.provider || ':' || $1 from credential k where k.key_id = $1
) f
where f.thing is not null
order by f.place, f.kind, f.thing
