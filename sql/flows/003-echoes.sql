-- A row that may tell again what another row told does not count where its payment has a row that tells it first hand.
-- The first echo of an amount belongs to the first row of that amount, the second to the second: so a settlement row finds its capture.
insert into row_echo (provider, row_id, echoes_row_id)
with echo as (
  select l.provider, l.row_id, l.payment_id, l.currency, l.amount_minor,
    row_number() over (partition by l.provider, l.payment_id, l.currency, l.amount_minor order by l.booked_at, l.row_id) as place
  from ledger_row l
  where l.is_echo = 1
),
known_payment as (
  select distinct e.provider, e.payment_id
  from echo e
  join ledger_row o on o.provider = e.provider and o.payment_id = e.payment_id and o.is_echo = 0
),
told as (
  select l.provider, l.row_id, l.payment_id, l.currency, l.amount_minor,
    row_number() over (partition by l.provider, l.payment_id, l.currency, l.amount_minor order by l.booked_at, l.row_id) as place
  from known_payment k
  join ledger_row l on l.provider = k.provider and l.payment_id = k.payment_id and l.is_echo = 0
)
select e.provider, e.row_id, t.row_id
from echo e
join known_payment k on k.provider = e.provider and k.payment_id = e.payment_id
left join told t on t.provider = e.provider and t.payment_id = e.payment_id and t.currency = e.currency and t.amount_minor = e.amount_minor
  and t.place = e.place
