-- Then the rows of these settlement days. $1: the provider, $2: the landed file.
delete from ledger_row
where row_no in (
  select l.row_no
  from (select distinct n.payout_id from settled_net n where n.landed_file = $2 and n.provider = $1) d
  join ledger_row l on l.provider = $1 and l.row_id in ('payout:' || d.payout_id, 'rounding:' || d.payout_id)
  where l.row_no < 0
)
