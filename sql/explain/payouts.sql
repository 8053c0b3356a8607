-- A payout and the rows that it says it pays. $1: the payout.
select s.happened_at, s.kind, s.record_id, s.currency, s.amount_minor, s.word, f.path, s.landed_line
from (
  select p.created_at as happened_at, 'payout' as kind, p.payout_id as record_id, p.currency, p.amount_minor,
    p.status || coalesce(', arrives ' || p.arrival_on, '') || coalesce(', bank reference ' || p.bank_reference, '') as word, p.landed_file, p.landed_line
  from payout p where p.payout_id = $1
  union all
  select l.booked_at, 'paid row', y.row_id, y.currency, y.net_minor, l.category, y.landed_file, y.landed_line
  from payout_row y join ledger_row l on l.provider = y.provider and l.row_id = y.row_id where y.payout_id = $1
) s
left join landed_file f on f.file_id = s.landed_file
order by s.happened_at, s.kind, s.record_id
