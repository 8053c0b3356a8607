-- A reversal names its own row; the row itself names the transfer as its source.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select v.provider, l.row_id, v.reversal_id, 'transfer_reversal', j.payment_id, t.connected_account
from transfer_reversal v
join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
join transfer t on t.provider = v.provider and t.transfer_id = v.transfer_id
left join payment_transfer j on j.provider = v.provider and j.transfer_id = v.transfer_id
where true
on conflict (provider, row_id) do nothing
