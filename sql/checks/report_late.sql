-- The {what} {record_id} of {account} {closing} at {expected_close} and was due by {due}; it has not arrived.
--
-- Why it matters: what the provider has settled since then is unknown and not reconciled.
-- What clears it: the report's arrival; a late report counts as if it had arrived in time.
-- Suggested action: Engineering: look at the delivery (disk, folder, credentials), then ask the provider to deliver the
-- report again.
-- Severity: medium
-- Rests on: ledger payouts

-- Only where a report arrived before: an empty folder does not show what should have arrived (`doctor` reports it).
-- When the next one is due is known from the provider's calendar: then each batch that no other follows in its time has
-- a row, also where later ones are there, which holds until the report comes. Else it is known from the longest time
-- between two batches that follow each other, where two weeks of batches are there, so that weekends are among them;
-- and from what was captured after all that was settled, which is settled within settle_within; and from what its
-- provider announced after the newest that is there: one before that is a gap, one that was refused is in quarantine.
-- One row an account, by the earliest of these. A batch that came in files of rows has its summary late where others of
-- the account have theirs, and one that states an activity has its rows late where none of them came.
with report as (
  select b.provider, b.account, b.batch_id, b.number, b.closed_at, b.next_at
  from settlement_batch b
  where b.part_of is null
  union all
  select d.provider, d.account, d.record_id, cast(null as bigint), d.booked_at, cast(null as bigint)
  from ledger_row d                    -- the payout of a settlement day (sql/days)
  where d.row_no < 0 and d.category = 'settlement_payout'
),
due as (
  select m.moment, m.instant, b.provider, b.account, b.batch_id, b.closed_at, b.next_at, y.report_due_within,
    y.settle_within,
    row_number() over (partition by m.moment, b.provider, b.account order by b.closed_at desc,
      b.batch_id desc) as place,
    lead(b.closed_at) over (partition by m.moment, b.provider, b.account order by b.closed_at,
      b.batch_id) as followed_at
  from moment m
  join report b on b.closed_at < m.instant
  join policy y on y.provider = b.provider
),
numbered as (
  select m.moment, b.provider, b.account, b.number, b.closed_at,
    lag(b.number) over (partition by m.moment, b.provider, b.account order by b.number) as number_before,
    lag(b.closed_at) over (partition by m.moment, b.provider, b.account order by b.number) as closed_before
  from moment m
  join report b on b.closed_at < m.instant
  where b.number is not null
),
pace as (
  select moment, provider, account, max(closed_at - closed_before) as seconds
  from numbered
  where number = number_before + 1
  group by moment, provider, account
  having max(closed_at) - min(closed_before) >= 1209600
),
waiting as (
  select d.moment, d.provider, d.account, min(c.captured_at) as captured_at
  from due d
  join payment p on p.provider = d.provider and p.account = d.account
  join payment_capture c on c.provider = p.provider and c.payment_id = p.payment_id and c.is_failure = 0
    and c.is_settled = 0
    and c.captured_at >= d.closed_at and c.confirmed_at < d.instant
  left join payment_capture f on f.provider = c.provider and f.payment_id = c.payment_id
    and f.capture_id = c.capture_id and f.is_failure = 1
  where d.place = 1 and d.next_at is null and f.capture_id is null
  group by d.moment, d.provider, d.account
),
announced as (
  select a.provider, a.account, a.batch_id, a.announced_at
  from announced_batch a
  join (
    select provider, account, max(number) as number
    from settlement_batch
    group by provider, account
  ) b on b.provider = a.provider and b.account = a.account and a.number > b.number
  left join quarantine q on q.source = a.provider and q.record_id = a.batch_id
  where q.source is null
),
chunked as (
  select c.provider, c.batch_id
  from batch_chunk c
  left join batch_value v on v.provider = c.provider and v.batch_id = c.batch_id
  where v.batch_id is null
  group by c.provider, c.batch_id
),
unacted as (
  select v.provider, v.batch_id
  from batch_value v
  left join batch_chunk c on c.provider = v.provider and c.batch_id = v.batch_id
  where v.name = 'activity' and v.amount_minor <> 0 and c.batch_id is null
  group by v.provider, v.batch_id
),
summarised as (
  select provider, account
  from batch_value
  group by provider, account
),
expected as (
  select moment, provider, account, batch_id, next_at as expected_close_at, report_due_within, instant,
    'settlement report after batch' as what, 'closed' as closing, ':after:' || batch_id as part
  from due
  where next_at is not null and (followed_at is null or followed_at >= next_at + 43200)
  union all
  select d.moment, d.provider, d.account, d.batch_id, d.closed_at + p.seconds, d.report_due_within, d.instant,
    'settlement report after batch', 'should have closed, by its usual interval,', ''
  from due d
  join pace p on p.moment = d.moment and p.provider = d.provider and p.account = d.account
  where d.place = 1 and d.next_at is null
  union all
  select d.moment, d.provider, d.account, d.batch_id, w.captured_at + d.settle_within, d.report_due_within, d.instant,
    'settlement report after batch', 'should have closed, given later captures,', ''
  from due d
  join waiting w on w.moment = d.moment and w.provider = d.provider and w.account = d.account
  where d.place = 1
  union all
  select d.moment, d.provider, d.account, a.batch_id, a.announced_at, d.report_due_within, d.instant,
    'settlement report of batch', 'was announced', ''
  from due d
  join announced a on a.provider = d.provider and a.account = d.account
  where d.place = 1 and a.announced_at < d.instant
  union all
  select d.moment, d.provider, d.account, d.batch_id, d.closed_at, d.report_due_within, d.instant,
    'balance summary of batch', 'closed', ':' || d.batch_id
  from due d
  join chunked c on c.provider = d.provider and c.batch_id = d.batch_id
  join summarised s on s.provider = d.provider and s.account = d.account
  union all
  select d.moment, d.provider, d.account, d.batch_id, d.closed_at, d.report_due_within, d.instant,
    'activity of batch', 'closed', ':activity:' || d.batch_id
  from due d
  join unacted u on u.provider = d.provider and u.batch_id = d.batch_id
),
late as (
  select moment, provider, account, batch_id, expected_close_at, expected_close_at + report_due_within as due_at,
    instant, what, closing, part,
    row_number() over (partition by moment, provider, account, part order by expected_close_at, closing) as place
  from expected
)
select l.moment, l.provider || ':' || l.account || l.part as subject, l.provider, l.account, '' as order_id,
  '' as payment_id,
  l.batch_id as record_id, '' as currency, cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor,
    l.due_at as since,
  '' as connected_account, l.what, l.closing, l.expected_close_at, l.due_at
from late l
where l.place = 1 and l.due_at < l.instant
order by l.moment, l.provider, l.account, l.part
