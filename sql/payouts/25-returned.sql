-- A payout that came back by a row of its own, which names it: the first such row is its failure.
update payout
set failure_row_id = r.row_id
from (
  select l.provider, l.record_id, l.row_id, row_number()
    over (partition by l.provider, l.record_id order by l.booked_at, l.row_id) as place
  from ledger_row l
  where l.record_kind = 'payout' and l.amount_minor > 0
) r
where payout.provider = r.provider and payout.payout_id = r.record_id and r.place = 1 and payout.failure_row_id is null
  and exists (
    select 1 from ledger_row o where o.provider = payout.provider and o.row_id = payout.row_id and o.amount_minor < 0)
