-- The postings of the newest version of each row of the file, by the number that the row has in the store.
insert into posting (row_no, ordinal, kind, from_role, to_role, currency, amount_minor, fee_type, description)
select l.row_no, p.ordinal, p.kind, p.from_role, p.to_role, p.currency, p.amount_minor, p.fee_type, p.description
from ledger_row_read n
join ledger_row l on l.provider = n.provider and l.row_id = n.row_id and l.landed_file = n.landed_file
  and l.landed_line = n.landed_line
join posting_read p on p.row_no = n.row_no
where true
on conflict (row_no, ordinal) do nothing
