-- Every payout created in the range, with the sum of the entries that the provider says it pays.
--
-- Amounts are positive towards the bank. Where the provider does not say which entries a payout pays (a manual payout),
-- count, sum and difference are blank. $1 is the range's first instant, $2 its end.
with
  line as (
    select l.provider, l.payout_id, count(*) as entries, cast(sum(l.net_minor) as bigint) as total_minor
    from payout_row l
    join payout p on p.provider = l.provider and p.payout_id = l.payout_id and p.currency = l.currency
    where p.created_at >= $1 and p.created_at < $2
    group by l.provider, l.payout_id
  )
select
  p.provider, p.account, p.payout_id, p.currency, p.amount_minor, p.created_at,
    coalesce(p.arrival_on, '') as arrival_on, p.status,
  case when p.is_itemised = 1 then coalesce(l.entries, 0) end as entries,
  case when p.is_itemised = 1 then coalesce(l.total_minor, 0) end as entries_total_minor,
  case when p.is_itemised = 1 then coalesce(l.total_minor, 0) - p.amount_minor end as difference_minor,
  coalesce(p.bank_reference, '') as bank_reference, p.provider || '/' || p.payout_id as payout_key,
  case
    when lower(p.status) in ('failed', 'error', 'refused', 'rejected', 'denied', 'd') then 'failed'
    when lower(p.status) in ('canceled', 'cancelled') then 'canceled'
    when lower(p.status) in ('returned', 'reversed', 'v') or b.row_id is not null then 'returned'
    when lower(p.status) in ('paid', 'settled', 's', 'success', 'completed', 'booked', 'credited', 'merchantpayout',
      'payout') then 'paid'
    when lower(p.status) in ('in_transit', 'sent', 'authorised', 'tracking') then 'on its way'
    when lower(p.status) in ('pending', 'p', 'received', 'initiated', 'pendingincoming', 'pendingoutgoing')
      then 'pending'
    when lower(p.status) in ('held', 'hold') then 'held'
    else 'other'
  end as stands
from payout p
left join ledger_row b on b.provider = p.provider and b.row_id = p.failure_row_id and b.booked_at < $2
left join line l on l.provider = p.provider and l.payout_id = p.payout_id
where p.created_at >= $1 and p.created_at < $2
order by p.provider, p.account, p.created_at, p.payout_id
