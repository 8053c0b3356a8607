-- A row whose source is a commission, and which nothing names as its own, still belongs to that commission.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select f.provider, l.row_id, f.fee_id, 'application_fee', f.payment_id, f.connected_account
from application_fee f
join ledger_row l on l.provider = f.provider and l.source_id = f.fee_id
where true
on conflict (provider, row_id) do nothing
