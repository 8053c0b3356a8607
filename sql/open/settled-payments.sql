-- Payments that a settlement names and that no event of the API tells of: asked for by id until they are known.
-- $1: the provider, $2: nothing older is asked for.
select l.payment_id
from settled_net n
join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
left join record_event e on e.provider = l.provider and e.subject = 'payment' and e.record_id = l.payment_id and e.is_echo = 0
where n.provider = $1 and n.settled_at >= $2 and l.payment_id is not null and e.record_id is null
group by l.payment_id
order by l.payment_id
