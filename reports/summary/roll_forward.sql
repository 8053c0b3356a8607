-- The balances of the platform's accounts: opening, what moved, closing, and what the provider states at the end. $1 is
-- the range's first instant, $2 its end.
with balance as (
  select provider, account, currency,
    cast(sum(case when moment = 0 then amount_minor else 0 end) as bigint) as opening_minor,
    cast(sum(case when moment = 1 then amount_minor else 0 end) as bigint) as closing_minor
  from balance_at
  where scope = 'platform'
  group by provider, account, currency
),
moved as (
  select provider, account, currency, cast(sum(amount_minor) as bigint) as amount_minor
  from range_movement
  where scope = 'platform'
  group by provider, account, currency
)
select b.provider, b.account, b.currency, b.opening_minor, coalesce(v.amount_minor, 0) as moved_minor, b.closing_minor,
  s.amount_minor as stated_minor
from balance b
left join moved v on v.provider = b.provider and v.account = b.account and v.currency = b.currency
left join stated_at s on s.moment = 1 and s.provider = b.provider and s.account = b.account and s.currency = b.currency
where v.provider is not null or b.opening_minor <> 0 or b.closing_minor <> 0 or s.amount_minor <> 0
order by b.provider, b.account, b.currency
