-- The entries of a range as a journal wants them, in the order in which they were booked; a payout and the entries that
-- it pays carry its id. $1 is the range's first instant, $2 its end.
select
  e.entry_id, e.provider, e.account, e.kind, e.from_party, e.to_party, e.currency, e.amount_minor, e.booked_at,
    coalesce(e.payment_id, '') as payment_id,
  coalesce(o.order_ids, '') as order_ids, coalesce(e.row_name, e.row_id) as record_id,
    coalesce(e.fee_type, '') as fee_type,
  case when e.kind in ('payout', 'payout_reversal') then e.record_id else coalesce(e.payout_id, '') end as payout_id
from entry e
left join payment_orders o on o.flow_key = e.flow_key
where e.booked_at >= $1 and e.booked_at < $2
order by e.booked_at, e.provider, e.entry_id
