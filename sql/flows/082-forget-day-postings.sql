-- What settlement days pay, and what their rounding leaves over, is worked out anew by every run.
delete from posting
where exists (
  select 1 from ledger_row l
  where l.provider = posting.provider and l.row_id = posting.row_id and l.category in ('settlement_payout', 'settlement_rounding'))
