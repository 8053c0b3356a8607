-- Then the rows of the settlement days. $1: the provider.
delete from ledger_row
where row_no < 0 and provider = $1
