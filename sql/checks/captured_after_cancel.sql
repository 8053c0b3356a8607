-- Order {order_id} is cancelled: payment {payment_id} captured {actual}, {refunded} has been refunded and {held} is
-- still held.
--
-- Why it matters: the customer pays for an order that will not be delivered.
-- What clears it: refunds of all that was captured for the cancelled order, or the order being reinstated.
-- Suggested action: Operations: refund what is still held at the provider, or reinstate the order.
-- Severity: high
-- Rests on: refunds
-- Also reads: payments orders

-- expected and actual are tender and captures of the group, as the control total counts them; refunds are separate.
-- What a dispute has taken is not held. Nothing is claimed before the refunds of all its providers were read past the
-- time at which the cancellation was, or past the range's end (past a day after the capture, where a source was read
-- but ends earlier, as settlements do); nor where a refund after that end may be its.
with payment as (
  select p.moment, p.group_id, p.flow_key, t.refunded_minor, t.captured_minor, t.connected_account,
    case when t.settlement_currency = t.currency then t.disputed_minor else 0 end as disputed_minor
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'captured_after_cancel'
  group by p.moment, p.group_id, p.flow_key, t.refunded_minor, t.captured_minor, t.connected_account,
    t.settlement_currency, t.currency, t.disputed_minor
),
side as (
  select moment, group_id, cast(sum(refunded_minor) as bigint) as refunded_minor,
    cast(sum(disputed_minor) as bigint) as disputed_minor,
    min(connected_account) as first_account, max(connected_account) as last_account
  from payment
  group by moment, group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, g.order_currency, '') as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor,
  g.since, case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  s.refunded_minor,
  greatest_of(g.captured_minor - g.tender_minor - s.refunded_minor - s.disputed_minor, 0) as held_minor
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
where g.finding = 'captured_after_cancel'
order by g.moment, g.group_id
