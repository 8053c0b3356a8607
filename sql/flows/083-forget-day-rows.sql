-- What settlement days pay, and what their rounding leaves over, is worked out anew by every run.
delete from ledger_row
where category in ('settlement_payout', 'settlement_rounding')
