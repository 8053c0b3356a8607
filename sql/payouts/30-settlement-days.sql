-- The payout of a settlement date is the sum of its exact nets, rounded once; a negative one is carried into the next
-- by the provider.
insert into payout (provider, payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised,
  row_id, landed_file, landed_line)
select d.provider, d.record_id, d.account, d.currency, - d.amount_minor, d.booked_at, null, 'settled', 1, d.row_id,
  d.landed_file, 0
from ledger_row d
where d.row_no < 0 and d.category = 'settlement_payout'
on conflict (provider, payout_id) do update set
  account = excluded.account, currency = excluded.currency, amount_minor = excluded.amount_minor,
    created_at = excluded.created_at,
  status = excluded.status, is_itemised = excluded.is_itemised, row_id = excluded.row_id,
    landed_file = excluded.landed_file
