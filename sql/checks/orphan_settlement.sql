-- Settlement {record_id} pays {actual} for payment {payment_id}, which the provider's API does not list.
--
-- Why it matters: the money is in the payout, but what was sold is unknown: the export may be another account's, or a
-- payment is lost.
-- What clears it: the API listing the payment, or the export being withdrawn.
-- Suggested action: Finance: check that the export belongs to this account, and ask the provider what the payment is.
-- Severity: high
-- Rests on: payments
-- Also reads: payouts

-- Only where settlement rows repeat what an API reports. The API was asked for the payment by its id.
with orphan as (
  select l.provider, l.account, l.payment_id, l.currency, n.payout_id, l.amount_minor, n.settled_at
  from settled_net n
  join ledger_row l on l.provider = n.provider and l.row_id = n.row_id and l.is_echo = 1
  left join row_echo x on x.provider = l.provider and x.row_id = l.row_id
  left join record_event e on e.provider = l.provider and e.subject = 'payment' and e.record_id = l.payment_id
    and e.is_echo = 0
  where x.row_id is null and e.record_id is null
),
held as (
  select m.moment, o.provider, o.account, o.payment_id, o.currency, o.payout_id,
    cast(sum(o.amount_minor) as bigint) as amount_minor,
    min(o.settled_at) as settled_at
  from orphan o
  join moment m on o.settled_at < m.instant
  join known k on k.source = o.provider and k.subject = 'payments' and k.is_asked = 1 and o.settled_at >= k.covers_from
  group by m.moment, o.provider, o.account, o.payment_id, o.currency, o.payout_id
),
listed as (
  select moment, provider, payment_id, row_number() over (partition by moment, provider,
    payment_id order by payout_id) as place,
    group_concat(payout_id, ' ') over (partition by moment, provider, payment_id order by payout_id
      rows between unbounded preceding and unbounded following) as ids
  from held
),
summed as (
  select moment, provider, payment_id, min(account) as account, min(currency) as currency,
    cast(sum(amount_minor) as bigint) as amount_minor,
    min(settled_at) as since
  from held
  group by moment, provider, payment_id
)
select s.moment, s.provider || ':' || s.payment_id as subject, s.provider, s.account,
  coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency, 0 as expected_minor, s.amount_minor as actual_minor, s.since, '' as connected_account
from summed s
join listed l on l.moment = s.moment and l.provider = s.provider and l.payment_id = s.payment_id and l.place = 1
left join match_node n on n.node = 'p:' || s.provider || ':' || s.payment_id
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.provider, s.payment_id
