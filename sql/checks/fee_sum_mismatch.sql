-- Ledger row {record_id} of {gross} is inconsistent: {part} {expected}, the row states {actual}.
--
-- Why it matters: a row whose parts do not add up cannot be explained, and every total that contains it is unreliable.
-- What clears it: the provider's corrected row.
-- Suggested action: Ask the provider about this row, and name its id.
-- Severity: critical
-- Rests on: nothing
-- Also reads: ledger
with broken as (
  select l.provider, l.row_id, l.account, l.currency, l.amount_minor, l.booked_at,
    case when l.fee_minor <> l.fee_sum_minor then l.fee_sum_minor
      else l.amount_minor - l.fee_minor end as expected_minor,
    case when l.fee_minor <> l.fee_sum_minor then l.fee_minor else l.net_minor end as actual_minor,
    case when l.fee_minor <> l.fee_sum_minor then 'its fee components total'
      else 'gross less fee gives a net of' end as part
  from booked_row l
  where l.fee_minor <> l.fee_sum_minor or l.amount_minor - l.fee_minor <> l.net_minor
)
select m.moment, b.provider || ':' || b.row_id as subject, b.provider, b.account, coalesce(g.order_ids, '') as order_id,
  coalesce(k.payment_id, '') as payment_id, b.row_id as record_id, b.currency, b.expected_minor, b.actual_minor,
    b.booked_at as since,
  coalesce(k.connected_account, '') as connected_account, b.amount_minor as gross_minor, b.part
from broken b
join moment m on b.booked_at < m.instant
left join row_link k on k.provider = b.provider and k.row_id = b.row_id
left join payment p on p.provider = k.provider and p.payment_id = k.payment_id
left join match_node n on n.node = 'p:' || p.flow_key
left join group_at g on g.moment = m.moment and g.group_id = n.group_id
order by m.moment, b.provider, b.row_id
