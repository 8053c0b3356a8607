-- The orders record a refund of {expected} for payment {payment_id} of order {order_id} on {recorded}; {provider} has
-- no such refund.
--
-- Why it matters: the customer expects a refund that was never sent.
-- What clears it: a refund of that amount at the provider, or the order's refund being withdrawn by a newer record.
-- Suggested action: Operations: make the refund at the provider, or correct the order's refund if it was made in
-- another way.
-- Severity: high
-- Rests on: payments refunds matches
-- Also reads: orders order_refunds

-- Silent where the group's own finding says more: a cancelled order whose money is still held (captured_after_cancel)
-- and a payment that failed altogether, of which nothing is left to refund. A refund that failed or is pending counts
-- as present (refund_failed, refund_pending); so does one that the order's refund names and that the provider reports
-- without saying of which payment it is. Silent too while the rest of the order may be at a provider that was not read
-- that far: the refund may be there.
with due as (
  select r.moment, m.instant, r.group_id, r.refund_id, r.flow_key, r.currency, r.amount_minor, r.happened_at,
    r.provider,
    coalesce(r.flow_key, r.group_id) || ':' || r.currency as subject, r.happened_at + y.capture_known_within as due_at
  from refund_match_at r
  join moment m on m.moment = r.moment
  join policy y on y.provider = r.provider
  join known k on k.source = r.provider and k.subject = 'refunds'
  left join order_refund o on o.refund_id = r.refund_id and o.order_id = r.order_id
  left join refund f on f.provider = r.provider and f.refund_id = o.payment_reference and f.payment_id is null
    and f.created_at < m.instant
  where r.side = 'order' and r.outcome = 'alone' and r.is_covered = 1 and f.refund_id is null
    and r.happened_at >= k.covers_from and r.happened_at + y.capture_known_within <= k.known_until
    and r.happened_at + y.capture_known_within < m.instant
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from due
),
summed as (
  select moment, subject, group_id, flow_key, provider, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(due_at) as since, min(happened_at) as recorded_at
  from due
  group by moment, subject, group_id, flow_key, provider, currency
)
select s.moment, s.subject, s.provider, g.account, g.order_ids as order_id,
  coalesce(t.payment_id, g.payment_ids) as payment_id,
  l.ids as record_id, s.currency, s.amount_minor as expected_minor, 0 as actual_minor, s.since,
  coalesce(t.connected_account, '') as connected_account, s.recorded_at
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join group_at g on g.moment = s.moment and g.group_id = s.group_id
join known a on a.source = '' and a.subject = 'payments'
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
where g.finding <> 'captured_after_cancel' and g.captured_minor > 0 and s.amount_minor > 0
  and (g.match_status <> 'pending' or g.finding <> 'none' or g.since <= a.known_until)
order by s.moment, s.subject
