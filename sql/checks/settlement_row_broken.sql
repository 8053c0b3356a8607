-- Row {record_id} is inconsistent: {detail} is {expected}, the row states {actual}: a difference of {difference}.
--
-- Why it matters: the provider's own figures contradict each other; batch, payout and balance are checked with what the
-- row states.
-- What clears it: the row in a corrected report.
-- Suggested action: Finance: send the row to the provider's support and ask which of its figures is right.
-- Severity: high
-- Rests on: nothing
-- Also reads: ledger
select m.moment, b.provider || ':' || b.row_id as subject, b.provider, b.account, coalesce(g.order_ids, '') as order_id,
  coalesce(b.payment_id, '') as payment_id, b.row_id as record_id, b.currency, b.expected_minor, b.actual_minor,
    b.booked_at as since,
  coalesce(t.connected_account, '') as connected_account, b.detail
from broken_row b
join moment m on b.booked_at < m.instant
left join payment_at t on t.moment = m.moment and t.flow_key = b.provider || ':' || b.payment_id
left join match_node n on n.node = 'p:' || b.provider || ':' || b.payment_id
left join group_at g on g.moment = m.moment and g.group_id = n.group_id
order by m.moment, b.provider, b.row_id
