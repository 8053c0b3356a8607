-- The fees of the range by provider, method and type, beside the volume they were charged on and what the rate card
-- says.
--
-- The rate card is applied to each capture booked in the range, as provider_fee_deviation does: a card without a method
-- holds for every method that has none of its own; blank where none covers it. What else went to the provider (the
-- rounding of a settlement day) is a line of type adjustment, so that the lines come to the fees on the first sheet.
-- Share in millionths of the provider's captured volume in that currency. $1 is the range's first instant, $2 its end.
with
  volume as (
    select provider, currency,
      cast(sum(case when to_party = 'platform' then amount_minor else -amount_minor end) as bigint) as volume_minor
    from entry
    where booked_at >= $1 and booked_at < $2 and kind in ('capture', 'charge_failure')
    group by provider, currency
  ),
  taken as (
    select e.provider, e.currency, coalesce(p.method, '') as method,
      cast(sum(case when e.to_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint) as taken_minor
    from entry e
    left join payment p on p.provider = e.provider and p.payment_id = e.payment_id
    where e.booked_at >= $1 and e.booked_at < $2 and e.kind in ('capture', 'charge_failure')
    group by e.provider, e.currency, coalesce(p.method, '')
  ),
  carded as (
    select e.provider, e.currency, coalesce(p.method, '') as method,
      cast(sum(proportion(e.amount_minor, c.percent_part, c.percent_whole) + c.fixed_minor) as bigint) as card_minor
    from entry e
    join payment p on p.provider = e.provider and p.payment_id = e.payment_id
    join rate_card c on c.provider = e.provider and c.currency = e.currency and e.booked_at >= c.from_at
      and e.booked_at < c.until_at
      and c.method = case when exists (
        select 1 from rate_card o
        where o.provider = e.provider and o.currency = e.currency and o.method = p.method and o.method <> ''
          and e.booked_at >= o.from_at and e.booked_at < o.until_at
      ) then p.method else '' end
    where e.booked_at >= $1 and e.booked_at < $2 and e.kind = 'capture' and e.to_party = 'platform'
    group by e.provider, e.currency, coalesce(p.method, '')
  ),
  charged as (
    select l.provider, coalesce(p.method, '') as method, l.fee_type, l.currency, count(*) as lines,
      cast(sum(l.amount_minor) as bigint) as amount_minor
    from fee_line l
    left join payment p on p.provider = l.provider and p.payment_id = l.payment_id
    where l.booked_at >= $1 and l.booked_at < $2
    group by l.provider, coalesce(p.method, ''), l.fee_type, l.currency
    union all
    select provider, '', 'adjustment', currency, count(*),
      cast(sum(case when to_party = 'provider' then amount_minor else - amount_minor end) as bigint)
    from entry
    where booked_at >= $1 and booked_at < $2 and kind = 'adjustment'
      and (to_party = 'provider' or from_party = 'provider')
    group by provider, currency
  )
select
  f.provider, f.method, f.fee_type, f.currency, f.lines, f.amount_minor, coalesce(v.volume_minor, 0) as volume_minor,
  case when coalesce(v.volume_minor, 0) = 0 then 0 else proportion(f.amount_minor, 1000000,
    v.volume_minor) end as share,
  c.card_minor, f.amount_minor - c.card_minor as deviation_minor, coalesce(t.taken_minor, 0) as taken_minor,
  case when coalesce(t.taken_minor, 0) = 0 then 0 else proportion(f.amount_minor, 1000000, t.taken_minor) end as rate
from charged f
left join volume v on v.provider = f.provider and v.currency = f.currency
left join taken t on t.provider = f.provider and t.currency = f.currency and t.method = f.method
left join carded c on c.provider = f.provider and c.currency = f.currency and c.method = f.method
  and f.fee_type = 'processing'
order by f.provider, f.currency, f.method, f.fee_type
