-- Dispute {record_id} of payment {payment_id} ({reason}) {took} {actual} from the balance (response due: {respond_by}).
--
-- Why it matters: the money is gone until the dispute is won, and an answer that comes too late loses it.
-- What clears it: the dispute being closed: won, lost (then dispute_lost speaks) or withdrawn.
-- Suggested action: Operations answer the dispute at the provider with evidence before the response date, or accept it.
-- Severity: high
-- Rests on: disputes ledger

-- Where only an API tells of disputes, and no row of the ledger ever does, an open one is shown with the amount that it is about.
with told_only as (
  select e.provider
  from record_event e
  left join (
    select distinct l.provider
    from posting k
    join ledger_row l on l.row_no = k.row_no
    where k.kind in ('dispute', 'dispute_reversal')
  ) o on o.provider = e.provider
  where e.subject = 'dispute' and e.feed = 'api' and o.provider is null
  group by e.provider
),
held as (
  select d.moment, d.dispute_id, d.flow_key, d.provider, d.account, d.payment_id, d.reason, d.respond_by, d.currency,
    case when d.moved_at is null then d.asked_minor else d.taken_minor - d.returned_minor end as amount_minor,
    greatest_of(d.created_at, coalesce(d.moved_at, d.created_at)) as held_at, d.flow_key || ':' || d.currency as subject,
    case when d.moved_at is null then 0 else 1 end as has_moved
  from dispute_at d
  left join told_only s on s.provider = d.provider
  where d.status in ('open', 'inquiry') and d.taken_minor > d.returned_minor
    or d.status = 'open' and d.moved_at is null and s.provider is not null
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by dispute_id) as place,
    group_concat(dispute_id, ' ') over (partition by moment, subject order by dispute_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, account, payment_id, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(held_at) as since, min(respond_by) as respond_by, max(has_moved) as has_moved,
    case when min(reason) = max(reason) then min(reason) when min(reason) is null then 'no reason stated' else 'several reasons' end as reason
  from held
  group by moment, subject, flow_key, provider, account, payment_id, currency
)
select s.moment, s.subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id, l.ids as record_id, s.currency,
  0 as expected_minor, s.amount_minor as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account, s.reason,
  s.respond_by as respond_by_at, case s.has_moved when 1 then 'took' else 'may take' end as took
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
