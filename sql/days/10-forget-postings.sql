-- The rows of a provider's settlement days are worked out again when settlement rows have landed: first their postings
-- go. $1: the provider.
delete from posting
where row_no in (select l.row_no from ledger_row l where l.row_no < 0 and l.provider = $1)
