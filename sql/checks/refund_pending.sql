-- A refund of {expected} of payment {payment_id} has been pending since {created}, longer than a refund should take.
--
-- Why it matters: the customer is waiting for the money; often the platform's balance is too low to pay it.
-- What clears it: the refund succeeding, or failing (then refund_failed reports it).
-- Suggested action: Finance: see why the refund waits at the provider, and top up the balance if it is too low.
-- Severity: low
-- Rests on: refunds
with held as (
  select r.moment, r.refund_id, r.flow_key, r.provider, r.payment_id, r.currency, r.amount_minor, r.created_at,
    r.created_at + y.settle_within as due_at, r.flow_key || ':' || r.currency as subject
  from refund_at r
  join moment m on m.moment = r.moment
  join policy y on y.provider = r.provider
  join known k on k.source = r.provider and k.subject = 'refunds'
  where r.status = 'pending' and r.created_at + y.settle_within < m.instant
    and r.created_at + y.settle_within <= k.known_until
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, payment_id, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(due_at) as since, min(created_at) as created_at
  from held
  group by moment, subject, flow_key, provider, payment_id, currency
)
select s.moment, s.subject, s.provider, coalesce(t.account, '') as account, coalesce(g.order_ids, '') as order_id,
  s.payment_id,
  l.ids as record_id, s.currency, s.amount_minor as expected_minor, 0 as actual_minor, s.since,
  coalesce(t.connected_account, '') as connected_account, s.created_at
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
