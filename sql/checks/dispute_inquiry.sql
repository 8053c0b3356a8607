-- The customer's bank has opened an inquiry about {asked} of payment {payment_id} ({reason}); no money has moved yet
-- (response due: {respond_by}).
--
-- Why it matters: an inquiry that is not answered becomes a dispute, which takes the money and costs a fee.
-- What clears it: the inquiry being closed, or becoming a dispute (then dispute_opened reports it).
-- Suggested action: Operations: answer the inquiry at the provider, or refund the payment.
-- Severity: low
-- Rests on: nothing
-- Also reads: disputes
with held as (
  select d.moment, d.dispute_id, d.flow_key, d.provider, d.account, d.payment_id, d.reason, d.respond_by,
    d.asked_currency as currency,
    d.asked_minor, d.created_at, d.flow_key || ':' || d.asked_currency as subject
  from dispute_at d
  where d.status = 'inquiry' and d.taken_minor <= d.returned_minor
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by dispute_id) as place,
    group_concat(dispute_id, ' ') over (partition by moment, subject order by dispute_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, account, payment_id, currency,
    cast(sum(asked_minor) as bigint) as asked_minor,
    min(created_at) as since, min(respond_by) as respond_by,
    case when min(reason) = max(reason) then min(reason) when min(reason) is null then 'no reason stated'
      else 'several reasons' end as reason
  from held
  group by moment, subject, flow_key, provider, account, payment_id, currency
)
select s.moment, s.subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  0 as expected_minor, 0 as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account, s.reason,
    s.asked_minor,
  s.respond_by as respond_by_at
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
