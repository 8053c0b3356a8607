-- A payout or settlement batch, and the rows that it says it pays. $1: the payout, $2: its provider.
select s.happened_at, s.kind, s.record_id, s.currency, s.amount_minor, s.word, f.path, s.landed_line
from (
  select p.created_at as happened_at, 'payout' as kind, p.payout_id as record_id, p.currency, p.amount_minor,
    p.status || coalesce(', arrives ' || p.arrival_on, '')
      || coalesce(', bank reference ' || p.bank_reference, '') as word, p.landed_file, p.landed_line
  from payout p where p.payout_id = $1 and p.provider = $2
  union all
  select l.booked_at, 'paid row', y.row_id, y.currency, y.net_minor, l.category, y.landed_file, y.landed_line
  from payout_row y join ledger_row l on l.provider = y.provider and l.row_id = y.row_id where y.payout_id = $1
    and y.provider = $2
  union all
  select b.closed_at, 'settlement batch', b.batch_id, null, null,
    'of ' || b.account || coalesce(', part of ' || b.part_of, ''), b.landed_file, b.landed_line
  from settlement_batch b where b.batch_id = $1 and b.provider = $2
  union all
  select f.booked_at, 'row', f.row_id, f.currency, f.net_minor, f.category, f.landed_file, f.landed_line
  from payout p join ledger_row f on f.provider = p.provider and f.row_id in (p.row_id, p.failure_row_id)
    where p.payout_id = $1 and p.provider = $2
) s
left join landed_file f on f.file_id = s.landed_file
order by s.happened_at, s.kind, s.record_id, coalesce(s.landed_file, 0), coalesce(s.landed_line, 0), s.word
