-- Payment {payment_id} was refunded {refunds} times by {each} within minutes: {actual} in total, where {expected} may
-- have been intended.
--
-- Why it matters: a refund that was sent twice by mistake is rarely given back by the customer.
-- What clears it: one of them failing; where each was intended, a decision.
-- Suggested action: Operations: find out whether each of the refunds was intended: acknowledge it if so, else reclaim
-- the excess from the customer.
-- Severity: medium
-- Rests on: nothing
-- Also reads: refunds

-- Also raised where the orders record each of them: a shop that sends a refund twice records it twice. Not raised where
-- refunds exceed the capture (over_refunded reports that).
-- A series of equal refunds, each within the time of the one before, is one finding; series of several amounts of one
-- payment are one row.
with twin as (
  select r.moment, r.provider, r.refund_id, r.flow_key, r.payment_id, r.currency, r.amount_minor, r.created_at,
    y.duplicate_refund_within,
    lag(r.created_at) over (partition by r.moment, r.flow_key, r.currency, r.amount_minor order by r.created_at,
      r.refund_id) as before_at,
    lead(r.created_at) over (partition by r.moment, r.flow_key, r.currency, r.amount_minor order by r.created_at,
      r.refund_id) as after_at
  from refund_at r
  join policy y on y.provider = r.provider
  where r.status = 'succeeded'
),
near as (
  select w.moment, w.provider, w.refund_id, w.flow_key, w.payment_id, w.currency, w.amount_minor, w.created_at,
    case when w.before_at is not null and w.created_at - w.before_at <= w.duplicate_refund_within then 1
      else 0 end as follows
  from twin w
  where w.created_at - w.before_at <= w.duplicate_refund_within
    or w.after_at - w.created_at <= w.duplicate_refund_within
),
held as (
  select moment, provider, refund_id, flow_key, payment_id, currency, amount_minor, created_at, follows,
    flow_key || ':' || currency as subject
  from near
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, payment_id, currency, count(*) as refunds,
    cast(sum(amount_minor) as bigint) as amount_minor,
    cast(sum(case when follows = 0 then amount_minor else 0 end) as bigint) as first_minor,
    min(case when follows = 1 then created_at end) as since, min(amount_minor) as each_minor
  from held
  group by moment, subject, flow_key, provider, payment_id, currency
)
select s.moment, s.subject, s.provider, t.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  s.first_minor as expected_minor, s.amount_minor as actual_minor, s.since,
  coalesce(t.connected_account, '') as connected_account, cast(s.refunds as text) as refunds, s.each_minor
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where t.refunded_minor <= t.captured_minor
order by s.moment, s.subject
