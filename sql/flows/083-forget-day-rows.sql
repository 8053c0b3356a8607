-- What settlement days pay, and what their rounding leaves over, is worked out anew by every run.
delete from ledger_row
where row_no < 0
