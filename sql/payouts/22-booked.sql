-- The ledger row of a payout that does not name it: the first payout row that names the payout.
update payout
set row_id = r.row_id
from (
  select p.provider, p.payout_id, l.row_id, row_number()
    over (partition by p.provider, p.payout_id order by l.booked_at, l.row_id) as place
  from payout p
  join ledger_row l on l.provider = p.provider and l.source_id = p.payout_id and l.currency = p.currency
  join posting g on g.row_no = l.row_no and g.kind = 'payout'
  where p.row_id is null
) r
where payout.provider = r.provider and payout.payout_id = r.payout_id and r.place = 1
