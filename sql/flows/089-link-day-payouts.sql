-- A settlement day's payout stands behind its own row.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select l.provider, l.row_id, l.record_id, 'payout', null, null
from ledger_row l
where l.row_no < 0 and l.category = 'settlement_payout'
on conflict (provider, row_id) do nothing
