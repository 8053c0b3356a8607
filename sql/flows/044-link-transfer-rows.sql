-- A row whose source is a transfer, and which no transfer or reversal names as its own, still belongs to that transfer.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select t.provider, l.row_id, t.transfer_id, 'transfer', j.payment_id, t.connected_account
from transfer t
join ledger_row l on l.provider = t.provider and l.source_id = t.transfer_id
left join payment_transfer j on j.provider = t.provider and j.transfer_id = t.transfer_id
where true
on conflict (provider, row_id) do nothing
