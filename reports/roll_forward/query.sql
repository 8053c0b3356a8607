-- Every balance from the range's first instant to its end: of each account of the platform, and of each connected
-- account. Opening and the twelve movements make the closing; beside it what the provider states at both ends, where it
-- does. $1 is the range's first instant, $2 its end.
with figures as (
  select scope, provider, account, connected_account, currency,
    cast(sum(case figure when 'captured' then amount_minor else 0 end) as bigint) as captured_minor,
    cast(sum(case figure when 'refunded' then amount_minor else 0 end) as bigint) as refunded_minor,
    cast(sum(case figure when 'disputed' then amount_minor else 0 end) as bigint) as disputed_minor,
    cast(sum(case figure when 'provider_fees' then amount_minor else 0 end) as bigint) as provider_fees_minor,
    cast(sum(case figure when 'transferred' then amount_minor else 0 end) as bigint) as transferred_minor,
    cast(sum(case figure when 'transfer_reversed' then amount_minor else 0 end) as bigint) as transfer_reversed_minor,
    cast(sum(case figure when 'application_fees' then amount_minor else 0 end) as bigint) as application_fees_minor,
    cast(sum(case figure when 'exchange' then amount_minor else 0 end) as bigint) as exchange_minor,
    cast(sum(case figure when 'reserves' then amount_minor else 0 end) as bigint) as reserves_minor,
    cast(sum(case figure when 'adjustments' then amount_minor else 0 end) as bigint) as adjustments_minor,
    cast(sum(case figure when 'paid_out' then amount_minor else 0 end) as bigint) as paid_out_minor,
    cast(sum(case figure when 'other' then amount_minor else 0 end) as bigint) as other_minor
  from range_movement
  group by scope, provider, account, connected_account, currency
),
stated as (
  select provider, account, currency, max(case when moment = 0 then amount_minor end) as opening_minor,
    max(case when moment = 1 then amount_minor end) as closing_minor
  from stated_at
  group by provider, account, currency
),
balance as (
  select scope, provider, account, connected_account, currency,
    cast(sum(case when moment = 0 then amount_minor else 0 end) as bigint) as opening_minor,
    cast(sum(case when moment = 1 then amount_minor else 0 end) as bigint) as closing_minor
  from balance_at
  group by scope, provider, account, connected_account, currency
),
line as (
  select scope, provider, account, connected_account, currency from figures
  union
  select scope, provider, account, connected_account, currency from balance where opening_minor <> 0
  union
  select 'platform', provider, account, '', currency from stated where opening_minor <> 0 or closing_minor <> 0
)
select l.scope, l.provider, l.account, l.connected_account, l.currency, coalesce(b.opening_minor, 0) as opening_minor,
  coalesce(f.captured_minor, 0) as captured_minor, coalesce(f.refunded_minor, 0) as refunded_minor,
  coalesce(f.disputed_minor, 0) as disputed_minor, coalesce(f.provider_fees_minor, 0) as provider_fees_minor,
  coalesce(f.transferred_minor, 0) as transferred_minor,
  coalesce(f.transfer_reversed_minor, 0) as transfer_reversed_minor,
  coalesce(f.application_fees_minor, 0) as application_fees_minor, coalesce(f.exchange_minor, 0) as exchange_minor,
  coalesce(f.reserves_minor, 0) as reserves_minor, coalesce(f.adjustments_minor, 0) as adjustments_minor,
  coalesce(f.paid_out_minor, 0) as paid_out_minor, coalesce(f.other_minor, 0) as other_minor,
  coalesce(b.closing_minor, 0) as closing_minor, s.opening_minor as stated_opening_minor,
  s.closing_minor as stated_closing_minor, s.closing_minor - coalesce(b.closing_minor, 0) as difference_minor,
  case
    when coalesce(b.closing_minor, 0) <> coalesce(b.opening_minor, 0) + coalesce(f.captured_minor, 0)
      + coalesce(f.refunded_minor, 0) + coalesce(f.disputed_minor, 0) + coalesce(f.provider_fees_minor, 0)
      + coalesce(f.transferred_minor, 0) + coalesce(f.transfer_reversed_minor, 0)
      + coalesce(f.application_fees_minor, 0) + coalesce(f.exchange_minor, 0) + coalesce(f.reserves_minor, 0)
      + coalesce(f.adjustments_minor, 0) + coalesce(f.paid_out_minor, 0) + coalesce(f.other_minor, 0)
      then 'DOES NOT TIE OUT'
    when s.closing_minor <> coalesce(b.closing_minor, 0) or s.opening_minor <> coalesce(b.opening_minor, 0)
      then 'DOES NOT TIE OUT'
    else 'ties out'
  end as control
from line l
left join balance b on b.scope = l.scope and b.provider = l.provider and b.account = l.account
  and b.connected_account = l.connected_account and b.currency = l.currency
left join figures f on f.scope = l.scope and f.provider = l.provider and f.account = l.account
  and f.connected_account = l.connected_account and f.currency = l.currency
left join stated s on l.scope = 'platform' and s.provider = l.provider and s.account = l.account
  and s.currency = l.currency
order by l.scope desc, l.provider, l.account, l.connected_account, l.currency
