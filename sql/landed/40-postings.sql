-- The postings of the newest version of each row of the file.
insert into posting (provider, row_id, ordinal, kind, from_role, to_role, currency, amount_minor, fee_type, description)
select p.provider, p.row_id, p.ordinal, p.kind, p.from_role, p.to_role, p.currency, p.amount_minor, p.fee_type, p.description
from posting_read p
join ledger_row l on l.provider = p.provider and l.row_id = p.row_id and l.landed_line = p.landed_line
where true
on conflict (provider, row_id, ordinal) do nothing
