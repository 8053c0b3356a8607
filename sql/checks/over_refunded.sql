-- Payment {payment_id} captured {expected} and its refunds total {actual}: the customer received {difference} too much.
--
-- Why it matters: the platform paid out more than it received, by mistake or by fraud.
-- What clears it: one of its refunds failing or being cancelled, so that refunds no longer exceed the capture.
-- Suggested action: Finance: stop further refunds of this payment and reclaim the surplus; Engineering: find out how it
-- passed the limits.
-- Severity: critical
-- Rests on: nothing
-- Also reads: ledger refunds

-- since: the refund with which the sum passed the capture.
with over_paid as (
  select t.moment, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account, t.currency, t.captured_minor,
    t.refunded_minor,
    t.failed_at
  from payment_at t
  where t.refunded_minor > t.captured_minor and t.captured_at is not null
),
running as (
  select r.moment, r.flow_key, r.refund_id, r.booked_at, o.captured_minor,
    sum(r.amount_minor) over (partition by r.moment, r.flow_key order by r.booked_at, r.refund_id
      rows between unbounded preceding and current row) as so_far_minor,
    row_number() over (partition by r.moment, r.flow_key order by r.refund_id) as place,
    group_concat(r.refund_id, ' ') over (partition by r.moment, r.flow_key order by r.refund_id
      rows between unbounded preceding and unbounded following) as ids
  from over_paid o
  join refund_at r on r.moment = o.moment and r.flow_key = o.flow_key
  where r.booked_at is not null and r.failed_at is null
),
passed as (
  select moment, flow_key, max(case when place = 1 then ids end) as ids,
    coalesce(min(case when so_far_minor > captured_minor then booked_at end), max(booked_at)) as passed_at
  from running
  group by moment, flow_key
)
select o.moment, o.flow_key as subject, o.provider, o.account, coalesce(g.order_ids, '') as order_id, o.payment_id,
  p.ids as record_id,
  o.currency, o.captured_minor as expected_minor, o.refunded_minor as actual_minor,
  greatest_of(p.passed_at, coalesce(o.failed_at, p.passed_at)) as since,
    coalesce(o.connected_account, '') as connected_account
from over_paid o
join passed p on p.moment = o.moment and p.flow_key = o.flow_key
left join match_node n on n.node = 'p:' || o.flow_key
left join group_at g on g.moment = o.moment and g.group_id = n.group_id
order by o.moment, o.flow_key
