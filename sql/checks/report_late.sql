-- The {what} {record_id} of {account} closed at {expected_close} and was to be there by {due}; it has not appeared.
--
-- Why it matters: what the provider settled since then is unknown, and nothing of it is reconciled.
-- What clears it: the report, wherever it went; a report that comes late counts as if it had come in time.
-- Suggested action: Engineering look at the delivery (disk, folder, credentials), then ask the provider to deliver the report again.
-- Severity: medium
-- Rests on: ledger

-- Only where a batch was there before: a folder in which nothing ever arrived says nothing of what should have (`doctor` does). A batch that came
-- in files of rows has its summary late where others of the account have theirs.
with due as (
  select m.moment, m.instant, b.provider, b.account, b.batch_id, b.closed_at, b.next_at, y.report_due_within,
    row_number() over (partition by m.moment, b.provider, b.account order by b.closed_at desc, b.batch_id desc) as place
  from moment m
  join settlement_batch b on b.closed_at < m.instant
  join policy y on y.provider = b.provider
),
chunked as (
  select c.provider, c.batch_id
  from batch_chunk c
  left join batch_value v on v.provider = c.provider and v.batch_id = c.batch_id
  where v.batch_id is null
  group by c.provider, c.batch_id
),
summarised as (
  select provider, account
  from batch_value
  group by provider, account
),
late as (
  select moment, provider, account, batch_id, next_at as expected_close_at, next_at + report_due_within as due_at, instant,
    'settlement report after batch' as what, '' as part
  from due
  where place = 1 and next_at is not null
  union all
  select d.moment, d.provider, d.account, d.batch_id, d.closed_at, d.closed_at + d.report_due_within, d.instant,
    'balance summary of batch', ':' || d.batch_id
  from due d
  join chunked c on c.provider = d.provider and c.batch_id = d.batch_id
  join summarised s on s.provider = d.provider and s.account = d.account
)
select l.moment, l.provider || ':' || l.account || l.part as subject, l.provider, l.account, '' as order_id, '' as payment_id,
  l.batch_id as record_id, '' as currency, cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor, l.due_at as since,
  '' as connected_account, l.what, l.expected_close_at, l.due_at
from late l
where l.due_at < l.instant
order by l.moment, l.provider, l.account, l.part
