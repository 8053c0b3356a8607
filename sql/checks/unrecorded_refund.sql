-- {provider} refunded {actual} of payment {payment_id} on {refunded}; the orders record no such refund for order
-- {order_id}.
--
-- Why it matters: money left that the order system does not record: revenue is overstated, and the goods may still be
-- delivered.
-- What clears it: a refund of that amount in the order refunds, or the order becoming refunded or cancelled.
-- Suggested action: Operations: find out who refunded it at the provider and why, and record the refund with the order.
-- Severity: high
-- Rests on: order_refunds orders
-- Also reads: refunds

-- Not raised without a source of order refunds, nor where every order of the group is refunded or cancelled: that
-- status records the refund. Nor raised on a payment whose refunds exceed the capture (over_refunded) and on the second
-- of two equal refunds within minutes (possible_duplicate_refund). Only refunds that succeeded count.
with paid_out as (                        -- with the equal refunds of the same payment before and after it
  select r.moment, r.group_id, r.refund_id, r.flow_key, r.currency, r.amount_minor, r.happened_at, r.provider,
    r.is_covered, r.outcome,
    r.happened_at - lag(r.happened_at) over equal as after_seconds,
      lead(r.happened_at) over equal - r.happened_at as before_seconds,
    lead(r.outcome) over equal as next_outcome
  from refund_match_at r
  where r.side = 'provider' and r.status = 'succeeded'
  window equal as (partition by r.moment, r.flow_key, r.currency, r.amount_minor order by r.happened_at, r.refund_id)
),
due as (
  select r.moment, r.group_id, r.refund_id, r.flow_key, r.currency, r.amount_minor, r.happened_at, r.provider,
    r.flow_key || ':' || r.currency as subject, r.happened_at + y.order_paid_within as due_at
  from paid_out r
  join moment m on m.moment = r.moment
  join policy y on y.provider = r.provider
  join known k on k.source = '' and k.subject = 'order_refunds' and k.is_asked = 1
  where r.outcome = 'alone' and r.is_covered = 1
    and (r.after_seconds is null or r.after_seconds > y.duplicate_refund_within)
    and (r.before_seconds is null or r.before_seconds > y.duplicate_refund_within or r.next_outcome <> 'matched')
    and r.happened_at >= k.covers_from and r.happened_at + y.order_paid_within <= k.known_until
    and r.happened_at + y.order_paid_within < m.instant
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from due
),
summed as (
  select moment, subject, group_id, flow_key, provider, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(due_at) as since, min(happened_at) as refunded_at
  from due
  group by moment, subject, group_id, flow_key, provider, currency
)
select s.moment, s.subject, s.provider, t.account, g.order_ids as order_id, t.payment_id, l.ids as record_id,
  s.currency,
  0 as expected_minor, s.amount_minor as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account,
    s.refunded_at
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join group_at g on g.moment = s.moment and g.group_id = s.group_id
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
join (
  select distinct u.moment, u.group_id       -- groups with an order whose status does not announce a refund
  from summed u
  join pair_at p on p.moment = u.moment and p.group_id = u.group_id
  join customer_order o on o.order_id = p.order_id and o.status not in ('refunded', 'cancelled')
) c on c.moment = s.moment and c.group_id = s.group_id
where t.refunded_minor <= t.captured_minor
order by s.moment, s.subject
