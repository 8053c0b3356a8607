-- Ledger row {record_id} ({category}, net {actual}) was booked at {booked} and arrived after its day had been reported.
--
-- Why it matters: the report of that day was published without it; it is restated by this amount.
-- What clears it: the next range; the restated report contains the row.
-- Suggested action: Finance: replace the earlier report by the restated one: run that day again.
-- Severity: low
-- Rests on: nothing
-- Also reads: ledger
with late as (
  select m.moment, l.provider, l.row_id, l.account, l.category, l.currency, l.net_minor, l.booked_at
  from booked_row l
  join moment m on l.booked_at < m.instant and m.instant <= l.late_until
  where l.late_since is not null
)
select l.moment, l.provider || ':' || l.row_id as subject, l.provider, l.account, coalesce(g.order_ids, '') as order_id,
  coalesce(k.payment_id, '') as payment_id, l.row_id as record_id, l.currency, 0 as expected_minor,
    l.net_minor as actual_minor,
  l.booked_at as since, coalesce(k.connected_account, t.connected_account, '') as connected_account, l.category,
    l.booked_at
from late l
left join row_link k on k.provider = l.provider and k.row_id = l.row_id
left join payment_at t on t.moment = l.moment and t.flow_key = l.provider || ':' || k.payment_id
left join match_node n on n.node = 'p:' || l.provider || ':' || k.payment_id
left join group_at g on g.moment = l.moment and g.group_id = n.group_id
order by l.moment, l.provider, l.row_id
