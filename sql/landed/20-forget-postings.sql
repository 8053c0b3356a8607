-- The newest version of a row wins: postings of the versions before it go.
delete from posting
where row_no in (select l.row_no from ledger_row_read n join ledger_row l on l.provider = n.provider
  and l.row_id = n.row_id)
