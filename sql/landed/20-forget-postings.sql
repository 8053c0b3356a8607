-- The newest version of a row wins: postings of the versions before it go.
delete from posting
where exists (select 1 from ledger_row_read n where n.provider = posting.provider and n.row_id = posting.row_id)
