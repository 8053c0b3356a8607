-- The day's figures per provider and currency: sums over the entries booked in the range.
--
-- Kept is what the platform has left of customers, providers and connected accounts together. Beside it: what was paid
-- out, and the movements without a counterparty of ours (exchange, reserves, adjustments, unclassified rows), so that
-- kept - paid out + those four is the change of the balance there; then the sum of the provider's own rows, computed
-- without posting rules. In the order of the currencies. $1 is the range's first instant, $2 its end.
with
  movement as (
    select provider, currency, kind, from_party, to_party, amount_minor,
      case when to_party = 'platform' then amount_minor when from_party = 'platform' then -amount_minor
        else 0 end as platform_minor,
      case when to_party = 'platform' then from_party when from_party = 'platform' then to_party
        else 'other' end as counterpart
    from entry
    where booked_at >= $1 and booked_at < $2
  ),
  stated as (
    select provider, currency, cast(sum(net_minor) as bigint) as net_minor
    from booked_row
    where booked_at >= $1 and booked_at < $2
    group by provider, currency
  )
select
  m.provider, m.currency,
  cast(sum(case when kind in ('capture', 'charge_failure') then platform_minor else 0 end) as bigint) as captured_minor,
  cast(sum(case when kind in ('refund', 'refund_failure') then -platform_minor else 0 end) as bigint) as refunded_minor,
  cast(sum(case when kind in ('dispute', 'dispute_reversal') then -platform_minor
    else 0 end) as bigint) as disputed_minor,
  cast(sum(case when to_party = 'provider' then amount_minor when from_party = 'provider' then -amount_minor
    else 0 end) as bigint) as fees_minor,
  cast(sum(case when kind in ('transfer', 'transfer_reversal') then -platform_minor
    else 0 end) as bigint) as transferred_minor,
  cast(sum(case when kind in ('application_fee', 'application_fee_refund') then platform_minor
    else 0 end) as bigint) as commission_minor,
  cast(sum(case when counterpart in ('bank', 'other') then 0 else platform_minor end) as bigint) as kept_minor,
  cast(sum(case when counterpart = 'bank' then -platform_minor else 0 end) as bigint) as paid_out_minor,
  cast(sum(case when counterpart = 'other' and kind = 'fx' then platform_minor else 0 end) as bigint) as exchange_minor,
  cast(sum(case when counterpart = 'other' and kind = 'reserve' then platform_minor
    else 0 end) as bigint) as reserves_minor,
  cast(sum(case when counterpart = 'other' and kind = 'adjustment' then platform_minor
    else 0 end) as bigint) as adjustments_minor,
  cast(sum(case when counterpart = 'other' and kind not in ('fx', 'reserve', 'adjustment') then platform_minor
    else 0 end) as bigint) as unclassified_minor,
  coalesce(max(s.net_minor), 0) as stated_minor
from movement m
left join stated s on s.provider = m.provider and s.currency = m.currency
group by m.provider, m.currency
order by m.currency, m.provider
