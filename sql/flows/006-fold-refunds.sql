-- A refund from its events: the newest says how it stands, a failure more than a success of the same instant; its money rows name it.
insert into refund (
  provider, refund_id, payment_id, status, currency, amount_minor, created_at, row_id, failure_row_id, is_expired_authorisation, failed_at,
  landed_file, landed_line)
with ranked as (
  select e.provider, e.record_id, e.payment_id, e.state, e.currency, e.amount_minor, e.happened_at, e.landed_file, e.landed_line,
    row_number() over (partition by e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'pending' then 1 when 'succeeded' then 2 else 3 end desc,
      case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end) as place,
    row_number() over (partition by e.provider, e.record_id
      order by case when e.state in ('pending', 'succeeded') then 0 else 1 end, case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end,
        e.happened_at) as worth,
    min(e.happened_at) over (partition by e.provider, e.record_id) as created_at,
    min(case when e.state in ('failed', 'canceled') then e.happened_at end) over (partition by e.provider, e.record_id) as failed_at,
    max(e.payment_id) over (partition by e.provider, e.record_id) as known_payment_id
  from told_event e
  where e.subject = 'refund'
),
money as (
  select l.provider, l.record_id, min(case when k.kind = 'refund' then l.row_id end) as row_id,
    min(case when k.kind = 'refund_failure' then l.row_id end) as failure_row_id
  from booked_row l
  join posting k on k.row_no = l.row_no and k.kind in ('refund', 'refund_failure')
  where l.record_kind = 'refund'
  group by l.provider, l.record_id
)
select n.provider, n.record_id, n.known_payment_id, n.state, a.currency, a.amount_minor, n.created_at, y.row_id, y.failure_row_id, 0,
  case when n.state in ('failed', 'canceled') then n.failed_at end, n.landed_file, n.landed_line
from ranked n
join ranked a on a.provider = n.provider and a.record_id = n.record_id and a.worth = 1
left join money y on y.provider = n.provider and y.record_id = n.record_id
where n.place = 1
