-- Every fee entry booked in the range: what the providers charged, the commissions collected, and the commissions that no fee object tells of.
--
-- A fee returned is negative. Where a charge said how much to transfer (transfer_data[amount]) the commission is what was captured less what was
-- transferred: a line of type platform with the record and time of the transfer. What ends such a payment with its transfer reversed (a refund, a
-- failed asynchronous payment) gives the rest back: a negative line with the record and time of the reversal. Only where transfer and capture are
-- in one currency. $1 is the range's first instant, $2 its end.
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
  ),
  -- The movements, up to the range's end, of payments whose commission is derived.
  moved as (
    select e.provider, e.account, e.payment_id, e.flow_key, e.kind, e.from_party, e.row_id, e.entry_id, e.currency, e.amount_minor, e.booked_at
    from entry e
    join payment_at p on p.moment = 1 and p.flow_key = e.flow_key and p.charge_type = 'destination_transfer_amount'
    where e.booked_at < $2 and e.kind in ('capture', 'charge_failure', 'refund', 'transfer', 'transfer_reversal')
  ),
  captured as (
    select flow_key, currency,
      cast(sum(case when kind <> 'capture' then 0 when from_party = 'customer' then amount_minor else -amount_minor end) as bigint)
        as captured_minor,
      cast(sum(case when kind = 'charge_failure' then amount_minor else 0 end) as bigint) as failed_minor
    from moved
    where kind in ('capture', 'charge_failure')
    group by flow_key, currency
  ),
  transferred as (
    select provider, account, payment_id, flow_key, row_id, currency, amount_minor, booked_at,
      row_number() over (partition by flow_key order by booked_at, entry_id) as place
    from moved
    where kind = 'transfer'
  ),
  refund_reversal as (
    select provider, reversal_id, refund_id from transfer_reversal where refund_id is not null
    union
    select provider, reversal_id, refund_id from refund where reversal_id is not null
  ),
  reversed as (
    select m.provider, m.account, m.payment_id, m.flow_key, m.row_id, m.currency, m.amount_minor, m.booked_at, l.refund_id
    from moved m
    join transfer_reversal r on r.provider = m.provider and r.row_id = m.row_id
    left join refund_reversal l on l.provider = r.provider and l.reversal_id = r.reversal_id
    where m.kind = 'transfer_reversal'
  ),
  commission as (
    select t.provider, t.account, t.payment_id, t.flow_key, t.row_id, 'Commission: captured less transferred' as description,
      t.currency, c.captured_minor - t.amount_minor as amount_minor, t.booked_at
    from transferred t
    join captured c on c.flow_key = t.flow_key and c.currency = t.currency
    where t.place = 1
    union all
    select r.provider, r.account, r.payment_id, r.flow_key, r.row_id, 'Commission returned: refund less reversal' as description,
      r.currency, r.amount_minor - m.amount_minor as amount_minor, r.booked_at
    from reversed r
    join refund f on f.provider = r.provider and f.refund_id = r.refund_id
    join moved m on m.provider = f.provider and m.row_id = f.row_id and m.kind = 'refund' and m.currency = r.currency
    union all
    select r.provider, r.account, r.payment_id, r.flow_key, r.row_id, 'Commission returned: failed payment less reversal' as description,
      r.currency, r.amount_minor - c.failed_minor as amount_minor, r.booked_at
    from reversed r
    join captured c on c.flow_key = r.flow_key and c.currency = r.currency and c.failed_minor > 0
    where r.refund_id is null
  ),
  line as (
    select provider, account, payment_id, flow_key, coalesce(row_name, row_id) as row_id, fee_type, description, currency,
      case when kind = 'application_fee_refund' or (kind <> 'application_fee' and to_party = 'platform') then -amount_minor
        else amount_minor end as amount_minor,
      booked_at, entry_id
    from entry
    where fee_type is not null and booked_at >= $1 and booked_at < $2
    union all
    select provider, account, payment_id, flow_key, row_id, 'platform' as fee_type, description, currency, amount_minor, booked_at,
      '' as entry_id
    from commission
    where amount_minor <> 0 and booked_at >= $1 and booked_at < $2
  )
select
  l.provider, l.account, coalesce(l.payment_id, '') as payment_id, coalesce(o.order_ids, '') as order_id, l.row_id as record_id,
  l.fee_type, coalesce(l.description, '') as description, l.currency, l.amount_minor, l.booked_at
from line l
left join paid_order o on o.flow_key = l.flow_key
order by l.provider, l.account, l.booked_at, l.row_id, l.entry_id, l.fee_type, l.description nulls first, l.amount_minor
