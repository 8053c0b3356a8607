-- Every ledger entry booked in the range: one movement from party to party, whose sums are the day's figures.
--
-- Amounts are positive, from the one party to the other. Per provider, account and currency the platform's entries add up to the change of its
-- balance there. $1 is the range's first instant, $2 its end.
with recursive
  -- The orders of each payment, joined by a space where there are several.
  claim as (
    select flow_key, order_id,
      row_number() over (partition by flow_key order by order_id) as place,
      count(*) over (partition by flow_key) as places
    from pair_at
    where moment = 1 and flow_key is not null and order_id is not null
  ),
  shared_claim as (select flow_key, order_id, place, places from claim where places > 1),
  joined (flow_key, place, places, order_ids) as (
    select flow_key, place, places, order_id from shared_claim where place = 1
    union all
    select j.flow_key, c.place, c.places, j.order_ids || ' ' || c.order_id
    from joined j
    join shared_claim c on c.flow_key = j.flow_key and c.place = j.place + 1
  ),
  paid_order as (
    select flow_key, order_id as order_ids from claim where places = 1
    union all
    select flow_key, order_ids from joined where place = places
  )
select
  e.entry_id, e.provider, e.account, coalesce(e.payment_id, '') as payment_id, coalesce(o.order_ids, '') as order_id,
  e.kind, e.from_party, e.to_party, e.currency, e.amount_minor,
  coalesce(e.presentment_currency, '') as presentment_currency, e.presentment_minor as presentment_amount_minor,
  coalesce(e.exchange_rate, '') as exchange_rate, e.booked_at, e.available_at, coalesce(e.payout_id, '') as payout_id, coalesce(e.row_name, e.row_id) as record_id
from entry e
left join paid_order o on o.flow_key = e.flow_key
where e.booked_at >= $1 and e.booked_at < $2
order by e.booked_at, e.provider, e.entry_id
