-- Proof 6: what a period was sealed with and the adjustments noted since are what is derived today, per account,
-- currency and figure. Where everything was derived ($1 is 1) these are the movements alone. Else of the groups that
-- were not derived stands what was derived of them last: sealed_sum less what it has of the derived ones.
with known as (
  select s.seal, s.provider, s.account, s.connected_account, s.currency, s.figure, s.amount_minor
  from ledger_row l
  join sealed_movement s on s.provider = l.provider and s.row_id = l.row_id
  where $1 = 0
  union all
  select s.seal, s.provider, s.account, s.connected_account, s.currency, s.figure, s.amount_minor
  from sealed_movement s
  left join ledger_row l on l.provider = s.provider and l.row_id = s.row_id
  where s.is_made = 1 and $1 = 0 and l.row_id is null
)
select p.seal, p.provider, p.account, p.connected_account, p.currency, p.figure,
  cast(sum(p.amount_minor) as bigint) as amount_minor
from (
  select seal, provider, account, connected_account, currency, figure, amount_minor from sealed_sum where $1 = 0
  union all
  select seal, provider, account, connected_account, currency, figure, - amount_minor from known
  union all
  select c.seal, m.provider, m.account, m.connected_account, m.currency,
    case when m.booked_at < c.starts_at then 'opening' else m.figure end, m.amount_minor
  from movement m
  join closed_period c on m.booked_at >= c.covers_from and m.booked_at < c.ends_at
) p
group by p.seal, p.provider, p.account, p.connected_account, p.currency, p.figure
order by p.seal, p.provider, p.account, p.connected_account, p.currency, p.figure
