-- A row whose source is a payout belongs to it: a payout that failed names only its latest row.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select p.provider, l.row_id, p.payout_id, 'payout', null, null
from payout p
join ledger_row l on l.provider = p.provider and l.source_id = p.payout_id
where true
on conflict (provider, row_id) do nothing
