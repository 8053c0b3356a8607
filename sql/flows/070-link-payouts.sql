-- A payout's own row and the row that brings a failed one back.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select p.provider, l.row_id, p.payout_id, 'payout', null, null
from payout p
join ledger_row l on l.provider = p.provider and (l.row_id in (p.row_id, p.failure_row_id))
where true
on conflict (provider, row_id) do nothing
