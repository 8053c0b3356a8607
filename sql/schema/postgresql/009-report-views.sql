-- What several reports tell of a payment: its orders, its connected accounts, and each line of its fees.

-- The orders of each payment, separated by a space where there are several.
create view payment_orders as
with recursive
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
select flow_key, order_ids from paid_order;

-- The connected accounts that a payment belongs to: whoever received a transfer of it, else who should have.
create view payment_member as
with reached as (
  select distinct e.flow_key, e.connected_account
  from entry e
  join moment m on m.moment = 1 and e.booked_at < m.instant
  where e.flow_key is not null and e.connected_account is not null and e.connected_account <> ''
)
select flow_key, connected_account from reached
union
select p.flow_key, coalesce(p.connected_account, p.destination)
from payment_at p
left join reached r on r.flow_key = p.flow_key
where p.moment = 1 and r.flow_key is null and coalesce(p.connected_account, p.destination, '') <> '';

-- The same in one cell, separated by a space where there are several.
create view payment_members as
with counted as (
  select flow_key, min(connected_account) as connected_account, count(*) as accounts from payment_member group by flow_key
)
select flow_key, connected_account as connected_accounts from counted where accounts = 1
union all
select p.flow_key, p.ids
from (
  select b.flow_key, row_number() over (partition by b.flow_key order by b.connected_account) as place,
    group_concat(b.connected_account, ' ') over (partition by b.flow_key order by b.connected_account
      rows between unbounded preceding and unbounded following) as ids
  from counted c
  join payment_member b on b.flow_key = c.flow_key
  where c.accounts > 1
) p
where p.place = 1;

-- Every line of every fee up to the range's end: what the providers charged, the commissions collected, and the commissions that no fee object tells
-- of. A fee returned is negative. Where a charge said how much to transfer the commission is what was captured less what was transferred: a line
-- of type platform with the record and time of the transfer. What ends such a payment with its transfer reversed gives the rest back: a negative
-- line with the record and time of the reversal. Only where transfer and capture are in one currency.
create view fee_line as
with
  -- The movements, up to the range's end, of payments whose commission is derived, each beside what was captured of the payment in its currency.
  moved as (
    select e.provider, e.account, e.payment_id, e.flow_key, e.kind, e.row_id, e.currency, e.amount_minor, e.booked_at,
      row_number() over (partition by e.flow_key, e.kind order by e.booked_at, e.entry_id) as place,
      sum(case when e.kind in ('capture', 'charge_failure') then 1 else 0 end) over (partition by e.flow_key, e.currency) as captures,
      cast(sum(case when e.kind <> 'capture' then 0 when e.from_party = 'customer' then e.amount_minor else -e.amount_minor end)
        over (partition by e.flow_key, e.currency) as bigint) as captured_minor,
      cast(sum(case when e.kind = 'charge_failure' then e.amount_minor else 0 end) over (partition by e.flow_key, e.currency) as bigint) as failed_minor
    from entry e
    join payment_at p on p.moment = 1 and p.flow_key = e.flow_key and p.charge_type = 'destination_transfer_amount'
    join moment m on m.moment = 1 and e.booked_at < m.instant
    where e.kind in ('capture', 'charge_failure', 'refund', 'transfer', 'transfer_reversal')
  ),
  refund_reversal as (
    select provider, reversal_id, refund_id from transfer_reversal where refund_id is not null
    union
    select provider, reversal_id, refund_id from refund where reversal_id is not null
  ),
  reversed as (
    select m.provider, m.account, m.payment_id, m.flow_key, m.row_id, m.currency, m.amount_minor, m.booked_at, m.failed_minor, l.refund_id
    from moved m
    join transfer_reversal r on r.provider = m.provider and r.row_id = m.row_id
    left join refund_reversal l on l.provider = r.provider and l.reversal_id = r.reversal_id
    where m.kind = 'transfer_reversal'
  ),
  commission as (
    select provider, account, payment_id, flow_key, row_id, 'Commission: captured less transferred' as description, currency,
      captured_minor - amount_minor as amount_minor, booked_at
    from moved
    where kind = 'transfer' and place = 1 and captures > 0
    union all
    select r.provider, r.account, r.payment_id, r.flow_key, r.row_id, 'Commission returned: refund less reversal' as description,
      r.currency, r.amount_minor - m.amount_minor as amount_minor, r.booked_at
    from reversed r
    join refund f on f.provider = r.provider and f.refund_id = r.refund_id
    join moved m on m.provider = f.provider and m.row_id = f.row_id and m.kind = 'refund' and m.currency = r.currency
    union all
    select provider, account, payment_id, flow_key, row_id, 'Commission returned: failed payment less reversal' as description, currency,
      amount_minor - failed_minor as amount_minor, booked_at
    from reversed
    where refund_id is null and failed_minor > 0
  ),
  line as (
    select provider, account, payment_id, flow_key, coalesce(row_name, row_id) as row_id, fee_type, description, currency,
      case when kind = 'application_fee_refund' or (kind <> 'application_fee' and to_party = 'platform') then -amount_minor
        else amount_minor end as amount_minor,
      booked_at, entry_id
    from entry
    where fee_type is not null
    union all
    select provider, account, payment_id, flow_key, row_id, 'platform' as fee_type, description, currency, amount_minor, booked_at,
      '' as entry_id
    from commission
    where amount_minor <> 0
  )
select provider, account, payment_id, flow_key, row_id, fee_type, description, currency, amount_minor, booked_at, entry_id
from line;

-- The discrepancy to look at first of each payment, and of each order: those about its group, or about itself. The cast gives the key a type: without
-- one SQLite makes no index for a join with it, and 20,000 payments with a discrepancy each took minutes instead of a quarter of a second.
create view payment_discrepancy as
select s.flow_key, s.discrepancy_id
from (
  select a.flow_key, a.discrepancy_id, row_number() over (partition by a.flow_key order by a.severity_rank desc, a.discrepancy_id) as place
  from (
    select cast(d.provider || ':' || d.payment_id as text) as flow_key, d.discrepancy_id, d.severity_rank
    from discrepancy d
    where d.payment_id <> ''
    union
    select p.flow_key, d.discrepancy_id, d.severity_rank
    from discrepancy d
    join pair_at p on p.moment = 1 and p.group_id = d.subject and p.flow_key is not null
  ) a
) s
where s.place = 1;
create view order_discrepancy as
select s.order_id, s.discrepancy_id
from (
  select a.order_id, a.discrepancy_id, row_number() over (partition by a.order_id order by a.severity_rank desc, a.discrepancy_id) as place
  from (
    select d.order_id, d.discrepancy_id, d.severity_rank
    from discrepancy d
    where d.order_id <> ''
    union
    select p.order_id, d.discrepancy_id, d.severity_rank
    from discrepancy d
    join pair_at p on p.moment = 1 and p.group_id = d.subject and p.order_id is not null
  ) a
) s
where s.place = 1;
