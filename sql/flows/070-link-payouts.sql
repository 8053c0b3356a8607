-- A payout's own row and the row that brings a failed one back.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account)
select p.provider, l.row_id, p.payout_id, 'payout', null, null
from (
  select provider, payout_id, row_id from payout where row_id is not null
  union all
  select provider, payout_id, failure_row_id from payout where failure_row_id is not null
) p
join ledger_row l on l.provider = p.provider and l.row_id = p.row_id
where true
on conflict (provider, row_id) do nothing
