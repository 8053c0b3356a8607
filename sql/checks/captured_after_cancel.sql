-- Order {order_id} is cancelled: payment {payment_id} captured {actual}, {refunded} has been refunded and {held} is
-- still held.
--
-- Why it matters: the customer pays for an order that will not be delivered.
-- What clears it: refunds of all that was captured for the cancelled order, or the order being reinstated.
-- Suggested action: Operations: refund what is still held at the provider, or reinstate the order.
-- Severity: high
-- Rests on: refunds matches
-- Also reads: payments orders

-- expected and actual are tender and captures of the group, as the control total counts them; refunds are separate.
-- Captures in several currencies are a row for each that is held. What a dispute has taken is not held. Nothing is
-- claimed before the refunds of all its providers were read past the time at which the cancellation was, or past the
-- range's end (past a day after the capture, where a source was read but ends earlier, as settlements do); nor where a
-- refund after that end may be its.
with payment as (
  select p.moment, p.group_id, p.flow_key, t.payment_id, t.currency, t.refunded_minor, t.captured_minor,
    t.connected_account,
    case when t.settlement_currency = t.currency then t.disputed_minor else 0 end as disputed_minor
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'captured_after_cancel' and (t.currency = g.payment_currency or g.payment_currency is null)
  group by p.moment, p.group_id, p.flow_key, t.payment_id, t.currency, t.refunded_minor, t.captured_minor,
    t.connected_account, t.settlement_currency, t.disputed_minor
),
listed as (
  select moment, group_id, currency,
    row_number() over (partition by moment, group_id, currency order by payment_id, flow_key) as place,
    group_concat(payment_id, ' ') over (partition by moment, group_id, currency order by payment_id, flow_key
      rows between unbounded preceding and unbounded following) as ids
  from payment
),
side as (
  select moment, group_id, currency, cast(sum(captured_minor) as bigint) as captured_minor,
    cast(sum(refunded_minor) as bigint) as refunded_minor, cast(sum(disputed_minor) as bigint) as disputed_minor,
    min(connected_account) as first_account, max(connected_account) as last_account
  from payment
  group by moment, group_id, currency
),
pending as (                           -- what may be held for an order of the group that is still pending
  select p.moment, p.group_id, cast(sum(p.tender_minor) as bigint) as amount_minor
  from (
    select distinct q.moment, q.group_id, o.order_id, o.tender_minor
    from group_at g
    join pair_at q on q.moment = g.moment and q.group_id = g.group_id
    join customer_order o on o.order_id = q.order_id
    where g.finding = 'captured_after_cancel' and o.status = 'pending'
  ) p
  group by p.moment, p.group_id
)
select g.moment, case when g.payment_currency is null then g.group_id || ':' || s.currency else g.group_id
    end as subject,
  g.provider, g.account, g.order_ids as order_id,
  case when g.payment_currency is null then l.ids else g.payment_ids end as payment_id,
  '' as record_id, s.currency, g.tender_minor as expected_minor, s.captured_minor as actual_minor,
  g.since, case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  s.refunded_minor,
  greatest_of(s.captured_minor - g.tender_minor - coalesce(w.amount_minor, 0) - s.refunded_minor - s.disputed_minor,
    0) as held_minor
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
join listed l on l.moment = s.moment and l.group_id = s.group_id and l.currency = s.currency and l.place = 1
left join pending w on w.moment = g.moment and w.group_id = g.group_id
left join tolerance t on t.currency = s.currency
where g.finding = 'captured_after_cancel'
  and (g.payment_currency is not null
    or s.captured_minor - s.refunded_minor - s.disputed_minor > coalesce(t.amount_minor, 0))
order by g.moment, g.group_id, s.currency
