-- The payout of a settlement date is the sum of its exact nets, rounded once; a negative one is carried into the next by the provider.
insert into payout (provider, payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised, row_id, landed_file, landed_line)
select n.provider, n.payout_id, min(n.account), min(n.currency), proportion(cast(sum(n.net_millionths) as bigint), 1, min(n.minor_millionths)),
  min(n.settled_at), null, 'settled', 1, 'payout:' || n.payout_id, max(n.landed_file), 0
from settled_net n
group by n.provider, n.payout_id
on conflict (provider, payout_id) do update set
  account = excluded.account, currency = excluded.currency, amount_minor = excluded.amount_minor, created_at = excluded.created_at,
  status = excluded.status, is_itemised = excluded.is_itemised, row_id = excluded.row_id, landed_file = excluded.landed_file
