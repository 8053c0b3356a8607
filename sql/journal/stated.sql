-- The balances between which a journal leads, of each account of the platform whose provider states one: those of
-- roll_forward.csv. It ends with what the provider states, where it states anything. It begins with what the records
-- give where they lead to that end, else with what was stated then: a difference is shown by the range in which it
-- arose, and by no later one.
with ends as (
  select b.provider, b.account, b.currency, b.moment, b.amount_minor as derived_minor,
    cast(null as bigint) as stated_minor
  from balance_at b
  where b.scope = 'platform'
  union all
  select s.provider, s.account, s.currency, s.moment, cast(null as bigint), s.amount_minor
  from stated_at s
),
holding as (
  select provider, account, currency,
    coalesce(max(case when moment = 0 then derived_minor end), 0) as opening_minor,
    max(case when moment = 0 then stated_minor end) as stated_opening_minor,
    coalesce(max(case when moment = 1 then derived_minor end), 0) as closing_minor,
    max(case when moment = 1 then stated_minor end) as stated_closing_minor
  from ends
  group by provider, account, currency
)
select h.provider, h.account, h.currency,
  case when coalesce(h.stated_closing_minor, h.closing_minor) = h.closing_minor then h.opening_minor
    else coalesce(h.stated_opening_minor, h.opening_minor) end as opening_minor,
  coalesce(h.stated_closing_minor, h.closing_minor) as closing_minor, h.opening_minor as derived_minor
from holding h
join (select provider, account from stated_balance where is_settled = 1 group by provider, account) s
  on s.provider = h.provider and s.account = h.account
order by h.provider, h.account, h.currency
