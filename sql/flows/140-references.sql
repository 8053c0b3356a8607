-- Every identifier of a payment: its own first, then its intent's, and what its ledger rows name beside it: captures, refunds, disputes. An intent without a charge speaks for itself.
insert into payment_reference (flow_key, value, order_rank)
select a.flow_key, a.value, min(a.order_rank)
from (
  select p.flow_key, p.payment_id as value, cast(null as bigint) as order_rank
  from payment p
  where p.is_declined = 0
  union all
  select p.flow_key, p.intent_id, null
  from payment p
  join intent i on i.provider = p.provider and i.intent_id = p.intent_id
  where p.is_declined = 0
  union all
  select p.flow_key, l.record_id, null
  from ledger_row l
  join payment p on p.provider = l.provider and p.payment_id = l.payment_id
  where p.is_declined = 0 and l.record_id <> l.payment_id and l.record_id <> l.row_id
  union all
  select y.flow_key, y.payment_id, null
  from payment_at y
  where y.moment = 1 and y.payment_id = y.intent_id
  union all
  select p.flow_key, r.value, 2 * r.order_rank as order_rank
  from payment p
  join reference r on r.provider = p.provider and r.owner_id = p.payment_id
    and (r.landed_file = p.landed_file or p.tells_events = 1)
  where p.is_declined = 0
  union all
  select p.flow_key, r.value, 2 * r.order_rank + 1
  from payment p
  join intent i on i.provider = p.provider and i.intent_id = p.intent_id
  join reference r on r.provider = i.provider and r.owner_id = i.intent_id and r.landed_file = i.landed_file
  where p.is_declined = 0
  union all
  select y.flow_key, r.value, 2 * r.order_rank + 1
  from payment_at y
  join intent i on i.provider = y.provider and i.intent_id = y.intent_id
  join reference r on r.provider = i.provider and r.owner_id = i.intent_id and r.landed_file = i.landed_file
  where y.moment = 1 and y.payment_id = y.intent_id
) a
group by a.flow_key, a.value
