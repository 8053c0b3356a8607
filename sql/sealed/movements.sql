-- The movements of a time, as a seal contains them: each movement of a balance, signed as it changes it, with its
-- record. $1 is the first instant, $2 the end.
select m.provider, m.account, m.connected_account, m.currency, m.figure, m.amount_minor, m.booked_at, m.payment_id,
  coalesce(o.order_ids, '') as order_id, m.record_id, m.row_id, m.entry_id, m.kind,
  case when l.row_no < 0 then 1 else 0 end as is_made
from movement m
left join payment_orders o on o.flow_key = m.flow_key
left join ledger_row l on l.provider = m.provider and l.row_id = m.row_id
where m.booked_at >= $1 and m.booked_at < $2
order by m.provider, m.row_id, m.entry_id, m.scope
