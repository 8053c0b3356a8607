-- Dispute {record_id} of payment {payment_id} is won: {expected} is due back to {party}, {actual} was returned.
--
-- Why it matters: money that was won is still missing, at the platform or at the connected account that paid for the
-- dispute.
-- What clears it: the provider giving the money back, or a new transfer to the connected account of what was reversed.
-- Suggested action: Finance: ask the provider for the money, or transfer the reversed amount to the connected account
-- again.
-- Severity: high
-- Rests on: ledger payments disputes transfers
-- Also reads: refunds

-- Raised once the ledger is known past the win: a settlement that closed before cannot hold what is given back.
-- First the platform's money; once that is back, what the platform had pulled back from the connected account because
-- of the dispute (reversed without a refund, after the dispute began) and not transferred again since. A payment that
-- also has an open or lost dispute keeps its reversal.
with settled as (
  select d.moment, d.dispute_id, d.flow_key, d.provider, d.account, d.payment_id, d.currency, d.taken_minor,
    d.returned_minor, d.created_at,
    greatest_of(greatest_of(d.created_at, coalesce(d.moved_at, d.created_at)),
      coalesce(d.status_since, d.created_at)) as held_at
  from dispute_at d
  where d.status = 'won'
),
reach as (
  select source as provider, known_until from known where subject = 'ledger'
),
owed_to_platform as (
  select s.moment, s.dispute_id, s.flow_key, s.provider, s.account, s.payment_id, s.currency,
    s.taken_minor as expected_minor, s.returned_minor as actual_minor, s.held_at, '' as party
  from settled s
  join reach r on r.provider = s.provider and s.held_at < r.known_until
  where s.taken_minor > s.returned_minor
),
won_payment as (                          -- payments all of whose disputes that took money are won and returned
  select s.moment, s.flow_key, min(s.created_at) as began_at, max(s.held_at) as held_at
  from settled s
  left join dispute_at o on o.moment = s.moment and o.flow_key = s.flow_key and o.status in ('open', 'lost')
  left join owed_to_platform p on p.moment = s.moment and p.flow_key = s.flow_key
  where o.dispute_id is null and p.dispute_id is null
  group by s.moment, s.flow_key
),
pulled as (
  select v.moment, v.flow_key, c.currency, c.connected_account, cast(sum(c.amount_minor) as bigint) as amount_minor,
    min(c.booked_at) as pulled_at, max(c.booked_at) as last_pulled_at
  from won_payment v
  join moment m on m.moment = v.moment
  join transfer_cause c on c.flow_key = v.flow_key and c.booked_at < m.instant and c.booked_at >= v.began_at
  where c.kind = 'transfer_reversal' and c.cause <> 'refund'
  group by v.moment, v.flow_key, c.currency, c.connected_account
),
sent_again as (
  select p.moment, p.flow_key, p.currency, p.connected_account, cast(sum(c.amount_minor) as bigint) as amount_minor
  from pulled p
  join moment m on m.moment = p.moment
  join transfer_cause c on c.flow_key = p.flow_key and c.kind = 'transfer' and c.currency = p.currency
    and c.connected_account = p.connected_account and c.booked_at >= p.pulled_at and c.booked_at < m.instant
  group by p.moment, p.flow_key, p.currency, p.connected_account
),
held as (
  select moment, dispute_id, flow_key, provider, account, payment_id, currency, expected_minor, actual_minor, held_at,
    party from owed_to_platform
  union all
  select p.moment, s.dispute_id, s.flow_key, s.provider, s.account, s.payment_id, p.currency,
    case when s.dispute_id = f.dispute_id then p.amount_minor else 0 end,
    case when s.dispute_id = f.dispute_id then coalesce(a.amount_minor, 0) else 0 end,
    greatest_of(v.held_at, p.last_pulled_at), p.connected_account
  from pulled p
  join won_payment v on v.moment = p.moment and v.flow_key = p.flow_key
  join settled s on s.moment = p.moment and s.flow_key = p.flow_key
  join (select moment, flow_key, min(dispute_id) as dispute_id from settled group by moment, flow_key) f
    on f.moment = s.moment and f.flow_key = s.flow_key
  left join sent_again a on a.moment = p.moment and a.flow_key = p.flow_key and a.currency = p.currency
    and a.connected_account = p.connected_account
  where p.amount_minor > coalesce(a.amount_minor, 0)
),
named as (
  select moment, dispute_id, flow_key, provider, account, payment_id, currency, expected_minor, actual_minor, held_at,
    party,
    flow_key || ':' || currency || case when party = '' then '' else ':' || party end as subject
  from held
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by dispute_id) as place,
    group_concat(dispute_id, ' ') over (partition by moment, subject order by dispute_id
      rows between unbounded preceding and unbounded following) as ids
  from named
),
summed as (
  select moment, subject, flow_key, provider, account, payment_id, currency, party,
    cast(sum(expected_minor) as bigint) as expected_minor,
    cast(sum(actual_minor) as bigint) as actual_minor, min(held_at) as since
  from named
  group by moment, subject, flow_key, provider, account, payment_id, currency, party
)
select s.moment, s.subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  s.expected_minor, s.actual_minor, s.since,
  case when s.party = '' then coalesce(t.connected_account, '') else s.party end as connected_account,
  case when s.party = '' then 'the platform' else s.party end as party
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
