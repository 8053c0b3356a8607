-- The settlement report of {account} after batch {record_id} closed at {expected_close} and was to be there by {due}; it has not appeared.
--
-- Why it matters: what the provider settled since then is unknown, and nothing of it is reconciled.
-- What clears it: the report, wherever it went; a report that comes late counts as if it had come in time.
-- Suggested action: Engineering look at the delivery (disk, folder, credentials), then ask the provider to deliver the report again.
-- Severity: medium
-- Rests on: ledger

-- Only where a batch was there before: a folder in which nothing ever arrived says nothing of what should have (`doctor` does).
with newest as (
  select m.moment, m.instant, b.provider, b.account, b.batch_id, b.next_at, b.next_at + y.report_due_within as due_at,
    row_number() over (partition by m.moment, b.provider, b.account order by b.closed_at desc, b.batch_id desc) as place
  from moment m
  join settlement_batch b on b.closed_at < m.instant
  join policy y on y.provider = b.provider
)
select n.moment, n.provider || ':' || n.account as subject, n.provider, n.account, '' as order_id, '' as payment_id, n.batch_id as record_id,
  '' as currency, cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor, n.due_at as since, '' as connected_account,
  n.next_at as expected_close_at, n.due_at
from newest n
where n.place = 1 and n.next_at is not null and n.due_at < n.instant
order by n.moment, n.provider, n.account
