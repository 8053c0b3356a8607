-- A settlement row tells again what the API told: it does not count where its payment has a row of the API that tells the same movement.
-- A refund finds its row by its id; else the first settlement row of an amount belongs to the first row of that amount, the second to the second: so
-- it finds its capture. One of another amount belongs to the refund of its id, else to the first capture or refund that is left: the two are one
-- movement, and what they differ by is what a payout pays too little or too much (088-day-lines). One for which nothing is left counts: that money
-- moved, and the API does not know of it.
insert into row_echo (provider, row_id, echoes_row_id)
with echo as (
  select l.provider, l.row_id, l.payment_id, l.record_id, l.currency, l.amount_minor, l.booked_at,
    case when l.amount_minor < 0 then 1 else 0 end as is_outgoing,
    row_number() over (partition by l.provider, l.payment_id, l.record_id, l.currency, l.amount_minor order by l.booked_at, l.row_id) as place
  from ledger_row l
  join settled_net n on n.provider = l.provider and n.row_id = l.row_id
  where l.is_echo = 1                    -- others: 003-split-echoes
),
settlement_row as (                      -- movements and fees
  select n.provider, n.row_id
  from settled_net n
  union all
  select n.provider, n.fee_row_id
  from settled_net n
  where n.fee_row_id is not null
),
told as (
  select l.provider, l.row_id, l.payment_id, l.record_id, l.currency, l.amount_minor, l.booked_at,
    case when l.amount_minor < 0 then 1 else 0 end as is_outgoing,
    row_number() over (partition by l.provider, l.payment_id, l.record_id, l.currency, l.amount_minor order by l.booked_at, l.row_id) as place
  from (select distinct e.provider, e.payment_id from echo e) k
  join ledger_row l on l.provider = k.provider and l.payment_id = k.payment_id and l.is_echo = 0
  left join settlement_row s on s.provider = l.provider and s.row_id = l.row_id
  where s.row_id is null
),
named as (                               -- by the id of the record
  select e.provider, e.row_id, t.row_id as told_row_id
  from echo e
  join told t on t.provider = e.provider and t.payment_id = e.payment_id and t.record_id = e.record_id and t.currency = e.currency
    and t.amount_minor = e.amount_minor and t.place = e.place
),
left_echo as (
  select e.provider, e.row_id, e.payment_id, e.currency, e.amount_minor,
    row_number() over (partition by e.provider, e.payment_id, e.currency, e.amount_minor order by e.booked_at, e.row_id) as place
  from echo e
  left join named n on n.provider = e.provider and n.row_id = e.row_id
  where n.row_id is null
),
left_told as (
  select t.provider, t.row_id, t.payment_id, t.currency, t.amount_minor,
    row_number() over (partition by t.provider, t.payment_id, t.currency, t.amount_minor order by t.booked_at, t.row_id) as place
  from told t
  left join named n on n.provider = t.provider and n.told_row_id = t.row_id
  where n.row_id is null
),
alike as (
  select n.provider, n.row_id, n.told_row_id
  from named n
  union all
  select e.provider, e.row_id, t.row_id
  from left_echo e
  join left_told t on t.provider = e.provider and t.payment_id = e.payment_id and t.currency = e.currency and t.amount_minor = e.amount_minor
    and t.place = e.place
),
other_echo as (                          -- settlement rows that found no row of their amount
  select e.provider, e.row_id, e.payment_id, e.record_id, e.currency, e.is_outgoing,
    row_number() over (partition by e.provider, e.payment_id, e.currency, e.is_outgoing, e.record_id order by e.booked_at, e.row_id) as named_place,
    row_number() over (partition by e.provider, e.payment_id, e.currency, e.is_outgoing order by e.booked_at, e.row_id) as place
  from echo e
  left join alike a on a.provider = e.provider and a.row_id = e.row_id
  where a.row_id is null
),
other_told as (
  select t.provider, t.row_id, t.payment_id, t.record_id, t.currency, t.is_outgoing,
    row_number() over (partition by t.provider, t.payment_id, t.currency, t.is_outgoing, t.record_id order by t.booked_at, t.row_id) as named_place,
    row_number() over (partition by t.provider, t.payment_id, t.currency, t.is_outgoing order by t.booked_at, t.row_id) as place,
    count(*) over (partition by t.provider, t.payment_id, t.currency, t.is_outgoing) as places
  from told t
  left join alike a on a.provider = t.provider and a.told_row_id = t.row_id
  where a.row_id is null
),
paired as (
  select provider, row_id, told_row_id from alike
  union all
  select e.provider, e.row_id, t.row_id
  from other_echo e
  join other_told t on t.provider = e.provider and t.payment_id = e.payment_id and t.currency = e.currency and t.is_outgoing = e.is_outgoing
    and t.record_id = e.record_id and t.named_place = e.named_place
  union all                              -- rows that bear no id: one that is left over belongs to the last
  select e.provider, e.row_id, t.row_id
  from other_echo e
  join other_told t on t.provider = e.provider and t.payment_id = e.payment_id and t.currency = e.currency and t.is_outgoing = e.is_outgoing
    and t.place = least_of(e.place, t.places)
  where e.record_id = e.row_id
)
select provider, row_id, told_row_id
from paired
