-- The day's figures per provider and currency: sums over the entries booked in the range, under the columns of the
-- roll-forward.
--
-- Kept is what the platform has left of customers, providers and connected accounts together. Beside it: what was paid
-- out, and the other movements (exchange, reserves, adjustments, unclassified rows), so that kept - paid out + those
-- four is the change of the balance there; then the sum of the provider's own rows, computed without posting rules. In
-- the order of the currencies. $1 is the range's first instant, $2 its end.
with
  figures as (
    select provider, currency,
      cast(sum(case figure when 'captured' then amount_minor else 0 end) as bigint) as captured_minor,
      cast(sum(case figure when 'refunded' then - amount_minor else 0 end) as bigint) as refunded_minor,
      cast(sum(case figure when 'disputed' then - amount_minor else 0 end) as bigint) as disputed_minor,
      cast(sum(case figure when 'provider_fees' then - amount_minor else 0 end) as bigint) as fees_minor,
      cast(sum(case when figure in ('transferred', 'transfer_reversed') then - amount_minor else 0 end) as bigint)
        as transferred_minor,
      cast(sum(case figure when 'application_fees' then amount_minor else 0 end) as bigint) as commission_minor,
      cast(sum(case figure when 'paid_out' then - amount_minor else 0 end) as bigint) as paid_out_minor,
      cast(sum(case figure when 'exchange' then amount_minor else 0 end) as bigint) as exchange_minor,
      cast(sum(case figure when 'reserves' then amount_minor else 0 end) as bigint) as reserves_minor,
      cast(sum(case figure when 'adjustments' then amount_minor else 0 end) as bigint) as adjustments_minor,
      cast(sum(case figure when 'other' then amount_minor else 0 end) as bigint) as unclassified_minor
    from range_movement
    where scope = 'platform'
    group by provider, currency
  ),
  stated as (
    select provider, currency, cast(sum(net_minor) as bigint) as net_minor
    from booked_row
    where booked_at >= $1 and booked_at < $2
    group by provider, currency
  ),
  line as (                              -- a line of what moved between others, too
    select distinct provider, currency
    from entry
    where booked_at >= $1 and booked_at < $2
  )
select
  l.provider, l.currency, coalesce(f.captured_minor, 0) as captured_minor,
  coalesce(f.refunded_minor, 0) as refunded_minor, coalesce(f.disputed_minor, 0) as disputed_minor,
  coalesce(f.fees_minor, 0) as fees_minor, coalesce(f.transferred_minor, 0) as transferred_minor,
  coalesce(f.commission_minor, 0) as commission_minor,
  coalesce(f.captured_minor - f.refunded_minor - f.disputed_minor - f.fees_minor - f.transferred_minor
    + f.commission_minor, 0) as kept_minor,
  coalesce(f.paid_out_minor, 0) as paid_out_minor, coalesce(f.exchange_minor, 0) as exchange_minor,
  coalesce(f.reserves_minor, 0) as reserves_minor, coalesce(f.adjustments_minor, 0) as adjustments_minor,
  coalesce(f.unclassified_minor, 0) as unclassified_minor, coalesce(s.net_minor, 0) as stated_minor
from line l
left join figures f on f.provider = l.provider and f.currency = l.currency
left join stated s on s.provider = l.provider and s.currency = l.currency
order by l.currency, l.provider
