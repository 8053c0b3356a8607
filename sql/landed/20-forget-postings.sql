-- The newest version of a row wins: postings of the versions before it go.
delete from posting
where (provider, row_id) in (select n.provider, n.row_id from ledger_row_read n)
