-- A payment's split tells again what its settlement row told: the shares of a capture the capture, those of a refund the refund, its cost the fee.
-- Happening by happening, never for a payment as a whole: where the settlement tells the capture only, the refund is told by its shares alone. A
-- happening is known by its record, its direction and, in a dispute that goes on under one reference, its type's place; where the two sides name it
-- by different references, by what its shares come to. A cost does not count where the row of its happening tells a fee.
insert into row_echo (provider, row_id, echoes_row_id)
with share as (
  select distinct l.provider
  from ledger_row l
  left join settled_net n on n.provider = l.provider and n.row_id = l.row_id
  where l.is_echo = 1 and n.row_id is null
),
told as (                                -- shares and what is told first hand, under each other
  select l.provider, l.row_id, l.payment_id, l.record_kind, l.record_id, lower(l.category) as category, l.currency, l.is_echo,
    case when l.is_echo = 0 and l.amount_minor <> 0 then 1 else 0 end as tells_amount,
    case when l.is_echo = 0 and l.fee_minor <> 0 then 1 else 0 end as tells_fee,
    case when l.amount_minor = 0 then 1 else 0 end as is_cost,
    cast(sum(l.amount_minor) over (
      partition by l.provider, l.payment_id, l.record_kind, l.record_id, lower(l.category), l.currency, l.is_echo) as bigint) as whole_minor
  from ledger_row l
  join share s on s.provider = l.provider
  where l.payment_id is not null and l.record_kind in ('payment', 'refund', 'dispute')
),
directed as (
  select t.provider, t.row_id, t.payment_id, t.record_kind, t.record_id, t.category, t.currency, t.is_echo, t.tells_amount, t.tells_fee, t.is_cost,
    t.whole_minor, case when t.whole_minor < 0 or t.whole_minor = 0 and t.record_kind <> 'payment' then 1 else 0 end as is_outgoing
  from told t
),
placed as (
  select d.provider, d.row_id, d.payment_id, d.record_kind, d.record_id, d.currency, d.is_echo, d.tells_amount, d.tells_fee, d.is_cost, d.whole_minor,
    d.is_outgoing,
    dense_rank() over (partition by d.provider, d.payment_id, d.record_kind, d.record_id, d.is_outgoing, d.is_echo order by d.category) as place
  from directed d
),
named as (                               -- by the reference
  select p.provider, p.row_id, p.payment_id, p.record_kind, p.record_id, p.currency, p.is_echo, p.tells_amount, p.tells_fee, p.is_cost, p.whole_minor,
    p.is_outgoing, p.place, max(p.tells_amount) over same as is_told, max(p.tells_fee) over same as is_fee_told, max(p.is_echo) over same as is_retold
  from placed p
  window same as (partition by p.provider, p.payment_id, p.record_kind, p.record_id, p.is_outgoing, p.place)
),
numbered as (                            -- what no reference brought together, by its amount
  select n.provider, n.row_id, n.payment_id, n.record_kind, n.currency, n.is_echo, n.tells_amount, n.tells_fee, n.is_cost, n.whole_minor, n.is_outgoing,
    dense_rank() over (partition by n.provider, n.payment_id, n.record_kind, n.is_outgoing, n.currency, n.whole_minor, n.is_echo
      order by n.record_id, n.place) as place
  from named n
  where n.is_echo = 1 and n.is_told = 0 or n.is_echo = 0 and n.is_retold = 0
),
alike as (
  select n.provider, n.row_id, n.is_echo, n.is_cost, max(n.tells_amount) over same as is_told, max(n.tells_fee) over same as is_fee_told
  from numbered n
  window same as (partition by n.provider, n.payment_id, n.record_kind, n.is_outgoing, n.currency, n.whole_minor, n.place)
)
select n.provider, n.row_id, cast(null as text)
from named n
where n.is_echo = 1 and case n.is_cost when 1 then n.is_fee_told else n.is_told end = 1
union
select a.provider, a.row_id, null
from alike a
where a.is_echo = 1 and case a.is_cost when 1 then a.is_fee_told else a.is_told end = 1
