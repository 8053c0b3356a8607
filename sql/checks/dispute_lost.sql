-- Dispute {record_id} of payment {payment_id} is lost for {actual}: {recovered} was recovered from {party},
-- {unrecovered} was not.
--
-- Why it matters: the platform carries the loss, also the part that the connected account received, unless the transfer
-- is reversed.
-- What clears it: a decision, once the connected account's part is recovered or written off.
-- Suggested action: Finance: reverse the transfer for the connected account's part at the provider, or write the loss
-- off.
-- Severity: high
-- Rests on: nothing
-- Also reads: disputes ledger payments transfers

-- The connected account's part is the disputed share of what was transferred; recovered is what was taken back without
-- a refund, less what the dispute gave it again: both by the entries, whether the platform reversed the transfer or the
-- provider booked the dispute on the account. A dispute without money rows (they lie before the coverage) is shown with
-- its own amount; one that only a notification calls lost, and whose money is not booked yet, is open until then.
with notified as (
  select distinct e.provider, e.record_id
  from told_event e
  where e.subject = 'dispute' and e.feed = 'webhook' and e.state = 'lost'
),
held as (
  select d.moment, d.dispute_id, d.flow_key, d.provider, d.account, d.payment_id, d.currency,
    case when d.moved_at is null then d.asked_minor else d.taken_minor - d.returned_minor end as amount_minor,
    greatest_of(greatest_of(d.created_at, coalesce(d.moved_at, d.created_at)),
      coalesce(d.status_since, d.created_at)) as held_at,
    d.flow_key || ':' || d.currency as subject
  from dispute_at d
  left join notified t on t.provider = d.provider and t.record_id = d.dispute_id
  where d.status = 'lost' and (d.taken_minor > d.returned_minor or d.moved_at is null and t.record_id is null)
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by dispute_id) as place,
    group_concat(dispute_id, ' ') over (partition by moment, subject order by dispute_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, subject, flow_key, provider, account, payment_id, currency,
    cast(sum(amount_minor) as bigint) as amount_minor,
    min(held_at) as since
  from held
  group by moment, subject, flow_key, provider, account, payment_id, currency
),
shifted as (                              -- what went to the connected account for the payment, and what was taken back
                                          -- without a refund
  select s.moment, s.flow_key, c.currency,
    cast(sum(case when c.kind = 'transfer' and c.cause <> 'dispute' then c.amount_minor
      else 0 end) as bigint) as sent_minor,
    cast(sum(case when c.cause = 'refund' then 0 when c.kind = 'transfer_reversal' then c.amount_minor
      when c.cause = 'dispute' then - c.amount_minor else 0 end) as bigint) as reversed_minor
  from (select distinct moment, flow_key from summed) s
  join moment m on m.moment = s.moment
  join transfer_cause c on c.flow_key = s.flow_key and c.booked_at < m.instant
  group by s.moment, s.flow_key, c.currency
),
shared as (
  select s.moment, s.subject, coalesce(t.connected_account, '') as connected_account,
    coalesce(t.transfer_currency, s.currency) as currency,
    case
      when t.transfers > 0 and t.settlement_captured_minor > 0 and t.transfer_currency is not null
        then least_of(w.sent_minor, proportion(w.sent_minor, s.amount_minor, t.settlement_captured_minor))
      else 0
    end as share_minor,
    coalesce(w.reversed_minor, 0) as reversed_minor
  from summed s
  left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
  left join shifted w on w.moment = s.moment and w.flow_key = s.flow_key and w.currency = t.transfer_currency
)
select s.moment, s.subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  0 as expected_minor, s.amount_minor as actual_minor, s.since, h.connected_account,
  h.reversed_minor as recovered_minor, h.currency as recovered_currency,
  greatest_of(h.share_minor - h.reversed_minor, 0) as unrecovered_minor, h.currency as unrecovered_currency,
  case when h.connected_account = '' then 'a connected account' else h.connected_account end as party
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
join shared h on h.moment = s.moment and h.subject = s.subject
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
