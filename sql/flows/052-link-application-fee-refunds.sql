-- A commission given back names its own row; the row itself names the commission as its source.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select u.provider, l.row_id, u.fee_refund_id, 'application_fee_refund', f.payment_id, f.connected_account
from application_fee_refund u
join ledger_row l on l.provider = u.provider and l.row_id = u.row_id
join application_fee f on f.provider = u.provider and f.fee_id = u.fee_id
where true
on conflict (provider, row_id) do nothing
