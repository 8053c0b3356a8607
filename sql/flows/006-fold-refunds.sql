-- A refund from its events: the newest says how it stands, a failure more than a success of the same instant; its money rows name it.
-- Events and money are grouped rather than joined: a planner that takes either for few compares each with each.
insert into refund (
  provider, refund_id, payment_id, status, currency, amount_minor, created_at, row_id, failure_row_id, is_expired_authorisation, failed_at,
  landed_file, landed_line)
with told as (
  select e.provider, coalesce(n.refund_id, e.record_id) as record_id, e.payment_id, e.event_id, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
    e.landed_file, e.landed_line
  from told_event e
  left join named_refund n on n.provider = e.provider and n.record_id = e.record_id
  where e.subject = 'refund'
),
ranked as (
  select e.provider, e.record_id, e.state, e.landed_file, e.landed_line,
    row_number() over (partition by e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'pending' then 1 when 'succeeded' then 2 else 3 end desc,
      case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end, e.event_id) as place,
    first_value(e.currency) over worth as currency, first_value(e.amount_minor) over worth as amount_minor,
    min(e.happened_at) over (partition by e.provider, e.record_id) as created_at,
    min(case when e.state in ('failed', 'canceled') then e.happened_at end) over (partition by e.provider, e.record_id) as failed_at,
    max(e.payment_id) over (partition by e.provider, e.record_id) as payment_id
  from told e
  window worth as (partition by e.provider, e.record_id
    order by case when e.state in ('pending', 'succeeded') then 0 else 1 end, case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end,
      e.happened_at, e.event_id)
),
known as (
  select n.provider, n.record_id, n.payment_id, n.state, n.currency, n.amount_minor, n.created_at,
    case when n.state in ('failed', 'canceled') then n.failed_at end as failed_at, n.landed_file, n.landed_line,
    cast(null as text) as row_id, cast(null as text) as failure_row_id
  from ranked n
  where n.place = 1
  union all
  select l.provider, coalesce(r.refund_id, l.record_id), null, null, null, null, null, null, null, null,
    case when k.kind = 'refund' then l.row_id end, case when k.kind = 'refund_failure' then l.row_id end
  from booked_row l
  join posting k on k.row_no = l.row_no and k.kind in ('refund', 'refund_failure')
  left join named_refund r on r.provider = l.provider and r.record_id = l.record_id
  where l.record_kind = 'refund'
)
select a.provider, a.record_id, max(a.payment_id), max(a.state), max(a.currency), max(a.amount_minor), max(a.created_at), min(a.row_id),
  min(a.failure_row_id), 0, max(a.failed_at), max(a.landed_file), max(a.landed_line)
from known a
group by a.provider, a.record_id
having max(a.state) is not null
