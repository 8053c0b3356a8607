-- Payments that a settlement names and that no event of the API reports: asked for by id until they are known.
select l.provider, l.payment_id as record_id, max(n.settled_at) as created_at
from settled_net n
join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
left join record_event e on e.provider = l.provider and e.subject = 'payment' and e.record_id = l.payment_id
  and e.is_echo = 0
where l.payment_id is not null and e.record_id is null
group by l.provider, l.payment_id
order by l.provider, l.payment_id
