-- A refund of {expected} of payment {payment_id} was reported and then {outcome}: the customer has not received that
-- money.
--
-- Why it matters: the customer expects the money, the orders may show it as refunded, and it was returned to the
-- platform.
-- What clears it: a new refund of the same amount of that payment, made after this one failed.
-- Suggested action: Operations: refund the customer again, in another way where the card or account is closed.
-- Severity: critical
-- Rests on: nothing
-- Also reads: refunds ledger

-- Reported means booked by the provider, or recorded by the orders. Not raised where the transfer reversal made with it
-- was not undone (failed_refund_still_reversed: no transfer since the failure brought the connected account what it is
-- owed; the failure is raised here until the sources of that check are known that far), and where the payment itself
-- failed, so that nothing is owed to the customer. A new refund of the same amount replaces one failure before it, and
-- if it fails too, it is owed once: a failure adds one, each refund made while some are owed takes one away (never
-- below none), so owed = last sum − least sum, or the last.
with recorded as (
  select p.moment, p.provider, p.refund_id, min(o.happened_at) as happened_at
  from refund_match_at p
  join refund_match_at o on o.moment = p.moment and o.group_id = p.group_id and o.currency = p.currency
    and o.side = 'order'
    and o.outcome in ('matched', 'differs')
  where p.side = 'provider' and p.status in ('failed', 'canceled') and p.outcome in ('matched', 'differs')
  group by p.moment, p.provider, p.refund_id
),
told as (                               -- a settlement or a webhook reports a failure only of what it had reported
  select e.provider, e.record_id, min(e.happened_at) as told_at
  from told_event e
  where e.subject = 'refund' and (e.state = 'succeeded' or (e.state = 'failed' and e.feed in ('settlement', 'webhook')))
  group by e.provider, e.record_id
),
reported as (
  select r.moment, r.provider, r.refund_id, r.flow_key, r.status, r.currency, r.amount_minor, r.created_at,
    r.reversed_minor, r.reversal_currency, coalesce(r.failed_at, r.created_at) as failed_at,
    greatest_of(coalesce(r.failed_at, r.created_at), coalesce(r.booked_at, a.happened_at, d.told_at)) as broken_at,
    coalesce(n.failed_at, greatest_of(coalesce(r.failed_at, r.created_at),
      coalesce(r.booked_at, a.happened_at, d.told_at))) as undone_at
  from refund_at r
  left join recorded a on a.moment = r.moment and a.provider = r.provider and a.refund_id = r.refund_id
  left join told d on d.provider = r.provider and d.record_id = r.refund_id
  join refund n on n.provider = r.provider and n.refund_id = r.refund_id
  where r.status in ('failed', 'canceled') and coalesce(r.booked_at, a.happened_at, d.told_at) is not null
),
reach as (                                -- how far failed_refund_still_reversed is known
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'refunds', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
concerned as (
  select moment, flow_key, currency, amount_minor from reported group by moment, flow_key, currency, amount_minor
),
event as (
  select moment, flow_key, currency, amount_minor, undone_at as happened_at, 1 as step, refund_id from reported
  union all
  select r.moment, r.flow_key, r.currency, r.amount_minor, r.created_at, -1, r.refund_id
  from concerned c
  join refund_at r on r.moment = c.moment and r.flow_key = c.flow_key and r.currency = c.currency
    and r.amount_minor = c.amount_minor
  left join reported f on f.moment = r.moment and f.provider = r.provider and f.refund_id = r.refund_id
  where r.status in ('succeeded', 'pending') or f.refund_id is not null
),
walked as (
  select moment, flow_key, currency, amount_minor, step,
    sum(step) over (partition by moment, flow_key, currency, amount_minor order by happened_at, step, refund_id
      rows between unbounded preceding and current row) as so_far
  from event
),
owed as (
  select moment, flow_key, currency, amount_minor, sum(step) - case when min(so_far) < 0 then min(so_far)
    else 0 end as refunds
  from walked
  group by moment, flow_key, currency, amount_minor
),
latest as (
  select moment, refund_id, flow_key, provider, currency, amount_minor, status, broken_at, failed_at, reversed_minor,
    reversal_currency,
    row_number() over (partition by moment, flow_key, currency, amount_minor order by broken_at desc,
      refund_id desc) as place
  from reported
),
reversed as (                             -- what failed refunds took from the connected account, less the commission
                                          -- that went back with it
  select l.moment, l.flow_key, min(l.reversal_currency) as currency, min(l.broken_at) as broken_at,
    cast(sum(l.reversed_minor) as bigint) - t.fee_returned_minor as owed_minor
  from latest l
  join payment_at t on t.moment = l.moment and t.flow_key = l.flow_key
  where l.reversed_minor > 0
  group by l.moment, l.flow_key, t.fee_returned_minor
),
sent_again as (
  select r.moment, r.flow_key
  from reversed r
  join moment m on m.moment = r.moment
  join entry e on e.flow_key = r.flow_key and e.kind = 'transfer' and e.currency = r.currency
    and e.booked_at >= r.broken_at and e.booked_at < m.instant
  group by r.moment, r.flow_key, r.owed_minor
  having sum(e.amount_minor) >= r.owed_minor
),
held as (
  select l.moment, l.refund_id, l.flow_key, l.provider, l.currency, l.amount_minor, l.status, l.broken_at,
    l.flow_key || ':' || l.currency as subject
  from latest l
  join owed o on o.moment = l.moment and o.flow_key = l.flow_key and o.currency = l.currency
    and o.amount_minor = l.amount_minor
  left join sent_again a on a.moment = l.moment and a.flow_key = l.flow_key
  left join reach r on r.provider = l.provider
  where l.place <= o.refunds
    and (l.reversed_minor = 0 or a.flow_key is not null or r.known_until is null or l.failed_at >= r.known_until)
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by refund_id) as place,
    group_concat(refund_id, ' ') over (partition by moment, subject order by refund_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, currency, cast(sum(amount_minor) as bigint) as amount_minor,
    min(broken_at) as since,
    case when max(status) = 'canceled' then 'was cancelled' when min(status) = 'failed' then 'failed'
      else 'failed or was cancelled' end
      as outcome
  from held
  group by moment, subject, flow_key, provider, currency
)
select s.moment, s.subject, s.provider, coalesce(t.account, '') as account, coalesce(g.order_ids, '') as order_id,
  coalesce(t.payment_id, '') as payment_id, l.ids as record_id, s.currency, s.amount_minor as expected_minor,
    0 as actual_minor, s.since,
  coalesce(t.connected_account, '') as connected_account, s.outcome
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where coalesce(t.status, '') <> 'failed'
order by s.moment, s.subject
