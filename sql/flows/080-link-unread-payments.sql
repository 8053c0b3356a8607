-- A capture whose charge could not be read is still a payment: the row's source names it.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select l.provider, l.row_id, l.source_id, 'payment', l.source_id, null, l.currency, abs(l.amount_minor)
from ledger_row l
join posting k on k.row_no = l.row_no and k.kind in ('capture', 'charge_failure')
left join payment p on p.provider = l.provider and p.payment_id = l.source_id
where l.source_id is not null and (p.payment_id is not null or k.kind = 'capture')
on conflict (provider, row_id) do nothing
