-- {provider} refunded {actual} of payment {payment_id} on {refunded}, and the orders record no such refund for order {order_id}.
--
-- Why it matters: money left that the order system does not know of: revenue is overstated, and the goods may still be delivered.
-- What clears it: a refund of that amount in the order refunds, or the order becoming refunded or cancelled.
-- Suggested action: Operations find out who refunded it at the provider and why, and record the refund with the order.
-- Severity: high
-- Rests on: refunds order_refunds orders

-- Silent without a source of order refunds, and where every order of the group is refunded or cancelled: that status announces the refund.
-- Silent also on a payment whose refunds exceed the capture (over_refunded) and on the second of two equal refunds within minutes
-- (possible_duplicate_refund). Only refunds that succeeded speak here.
with twin as (
  select moment, provider, refund_id, created_at, amount_minor,
    lag(created_at) over (partition by moment, flow_key, currency, amount_minor order by created_at, refund_id) as before_at,
    lead(created_at) over (partition by moment, flow_key, currency, amount_minor order by created_at, refund_id) as after_at,
    lead(refund_id) over (partition by moment, flow_key, currency, amount_minor order by created_at, refund_id) as after_id
  from refund_at
  where status = 'succeeded'
),
open_order as (                           -- groups with an order whose status does not announce a refund
  select p.moment, p.group_id
  from pair_at p
  join customer_order o on o.order_id = p.order_id and o.status not in ('refunded', 'cancelled')
  where p.is_comparable = 1
  group by p.moment, p.group_id
),
due as (
  select r.moment, r.group_id, r.refund_id, r.flow_key, r.currency, r.amount_minor, r.happened_at, r.provider,
    r.flow_key || ':' || r.currency as subject, r.happened_at + y.order_paid_within as due_at
  from refund_match_at r
  join moment m on m.moment = r.moment
  join policy y on y.provider = r.provider
  join known k on k.source = '' and k.subject = 'order_refunds' and k.is_asked = 1
  join open_order o on o.moment = r.moment and o.group_id = r.group_id
  join twin w on w.moment = r.moment and w.provider = r.provider and w.refund_id = r.refund_id
  left join refund_match_at a on a.moment = r.moment and a.group_id = r.group_id and a.side = 'provider' and a.refund_id = w.after_id
    and a.outcome = 'matched' and w.after_at - w.created_at <= y.duplicate_refund_within
  where r.side = 'provider' and r.outcome = 'alone' and r.status = 'succeeded' and r.is_covered = 1
    and (w.before_at is null or w.created_at - w.before_at > y.duplicate_refund_within) and a.refund_id is null
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
select s.moment, s.subject, s.provider, t.account, g.order_ids as order_id, t.payment_id, l.ids as record_id, s.currency,
  0 as expected_minor, s.amount_minor as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account, s.refunded_at
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join group_at g on g.moment = s.moment and g.group_id = s.group_id
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
where t.refunded_minor <= t.captured_minor
order by s.moment, s.subject
