-- Every ledger row that a payout of the range pays, with the payment it belongs to. $1 is the range's first instant, $2
-- its end.
select
  p.provider, p.payout_id, l.row_id as record_id, coalesce(k.payment_id, '') as payment_id,
    coalesce(b.category, '') as category, b.booked_at,
  l.currency, l.net_minor as amount_minor, p.provider || '/' || p.payout_id as payout_key
from payout p
join payout_row l on l.provider = p.provider and l.payout_id = p.payout_id and l.currency = p.currency
left join ledger_row b on b.provider = l.provider and b.row_id = l.row_id
left join row_link k on k.provider = l.provider and k.row_id = l.row_id
where p.created_at >= $1 and p.created_at < $2 and p.is_itemised = 1
order by p.provider, p.account, p.created_at, p.payout_id, b.booked_at nulls first, l.row_id
