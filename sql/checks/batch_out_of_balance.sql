-- Settlement batch {record_id} is out of balance by {difference}: {what} {expected}; the report gives {actual}.
--
-- Why it matters: what the provider closed, paid out and carried over does not add up: money is missing, or there is
-- too much.
-- What clears it: a corrected report of the batch.
-- Suggested action: Finance: send the batch to the provider's support and ask for the difference.
-- Severity: critical
-- Rests on: nothing

-- Numbered batches hold every row, what was paid out and carried over too: they sum to zero, and each closing balance
-- is the next opening balance. Batches that state their activity close with the opening balance plus the activity less
-- the payout, and their rows sum to the activity. One row a batch: its own sum first. A batch that was refused in part
-- is not summed, and nothing is compared across a missing batch.
with unread as (
  select distinct q.source as provider, q.landed_file
  from quarantine q
  where q.silences = 1 and q.landed_file is not null
),
open_batch as (                          -- of a settled one not all rows are derived
  select b.provider, b.batch_id
  from settlement_batch b
  left join settled_payout x on x.provider = b.provider and x.payout_id = b.batch_id
  where x.payout_id is null
),
row_of as (
  select b.provider, b.batch_id, l.currency, l.net_minor, l.row_id
  from open_batch b
  join payout_row l on l.provider = b.provider and l.payout_id = b.batch_id
  union all
  select b.provider, b.batch_id, r.currency, r.net_minor, r.row_id
  from open_batch b
  join payout p on p.provider = b.provider and p.payout_id = b.batch_id
  join ledger_row r on r.provider = p.provider and r.row_id = p.row_id
),
partly_read as (
  select distinct o.provider, o.batch_id
  from row_of o
  join ledger_row r on r.provider = o.provider and r.row_id = o.row_id
  join unread u on u.provider = r.provider and u.landed_file = r.landed_file
),
summed as (
  select o.provider, o.batch_id, o.currency, cast(sum(o.net_minor) as bigint) as net_minor
  from row_of o
  left join partly_read y on y.provider = o.provider and y.batch_id = o.batch_id
  where y.batch_id is null
  group by o.provider, o.batch_id, o.currency
),
acted as (                              -- what moved within a batch: neither its payout nor what it began with or left
  select l.provider, l.payout_id as batch_id, l.currency, cast(sum(r.net_minor) as bigint) as net_minor
  from payout_row l
  join ledger_row r on r.provider = l.provider and r.row_id = l.row_id
  group by l.provider, l.payout_id, l.currency
),
stated as (
  select v.provider, v.batch_id, v.currency,
    cast(sum(case when v.name = 'opening' then v.amount_minor else 0 end) as bigint) as opening_minor,
    cast(sum(case when v.name = 'closing' then v.amount_minor else 0 end) as bigint) as closing_minor,
    cast(sum(case when v.name = 'payout' then v.amount_minor else 0 end) as bigint) as payout_minor,
    cast(sum(case when v.name = 'activity' then v.amount_minor else 0 end) as bigint) as activity_minor,
    max(case when v.name = 'activity' then 1 else 0 end) as has_activity
  from batch_value v
  group by v.provider, v.batch_id, v.currency
),
chunk_lost as (                         -- rows of a batch that lacks a chunk, or all of them, make no sum
  select c.provider, c.batch_id
  from batch_chunk c
  group by c.provider, c.batch_id
  having max(c.chunk) + 1 > count(*)
  union all
  select v.provider, v.batch_id
  from batch_value v
  left join batch_chunk c on c.provider = v.provider and c.batch_id = v.batch_id
  where v.name = 'activity' and c.batch_id is null
  group by v.provider, v.batch_id
),
neighbour as (
  select b.provider, b.account, b.batch_id, b.closed_at, p.batch_id as before_id, p.closed_at as before_closed_at
  from settlement_batch b
  join settlement_batch p on p.provider = b.provider and p.account = b.account and p.number = b.number - 1
),
follower as (                           -- batches without numbers follow each other as long as none was due between
  select d.provider, d.batch_id, d.before_id, d.before_closed_at
  from (
    select b.provider, b.batch_id, b.closed_at, b.number,
      lag(b.batch_id) over (partition by b.provider, b.account order by b.closed_at, b.batch_id) as before_id,
      lag(b.closed_at) over (partition by b.provider, b.account order by b.closed_at, b.batch_id) as before_closed_at,
      lag(b.next_at) over (partition by b.provider, b.account order by b.closed_at, b.batch_id) as due_at
    from settlement_batch b
  ) d
  where d.number is null and d.closed_at < d.due_at + 43200
),
carry as (
  select provider, batch_id, currency from stated where has_activity = 0
  union
  select n.provider, n.batch_id, s.currency
  from neighbour n
  join stated s on s.provider = n.provider and s.batch_id = n.before_id and s.has_activity = 0
),
fault as (
  select s.provider, s.batch_id, s.currency, 1 as place, 'its rows, payout and carry-over must sum to' as what,
    0 as expected_minor,
    s.net_minor as actual_minor, 0 as before_closed_at
  from summed s
  join settlement_batch b on b.provider = s.provider and b.batch_id = s.batch_id
    and (b.number is not null or b.part_of is not null)
  left join stated v on v.provider = s.provider and v.batch_id = s.batch_id and v.has_activity = 1
  where v.batch_id is null and s.net_minor <> 0
  union all
  select v.provider, v.batch_id, v.currency, 2, 'its opening balance, activity and payout imply a closing balance of',
    v.opening_minor + v.activity_minor - v.payout_minor, v.closing_minor, 0
  from stated v
  where v.has_activity = 1 and v.opening_minor + v.activity_minor - v.payout_minor <> v.closing_minor
  union all
  select v.provider, v.batch_id, v.currency, 3, 'its rows imply an activity of', coalesce(s.net_minor, 0),
    v.activity_minor, 0
  from stated v
  left join acted s on s.provider = v.provider and s.batch_id = v.batch_id and s.currency = v.currency
  left join chunk_lost c on c.provider = v.provider and c.batch_id = v.batch_id
  left join partly_read y on y.provider = v.provider and y.batch_id = v.batch_id
  left join settled_payout x on x.provider = v.provider and x.payout_id = v.batch_id
  where x.payout_id is null and v.has_activity = 1 and c.batch_id is null and y.batch_id is null
    and coalesce(s.net_minor, 0) <> v.activity_minor
  union all
  select n.provider, n.batch_id, c.currency, 4, 'the previous batch implies an opening balance of',
    coalesce(w.closing_minor, 0),
    coalesce(v.opening_minor, 0),
    n.before_closed_at
  from carry c
  join neighbour n on n.provider = c.provider and n.batch_id = c.batch_id
  left join stated v on v.provider = n.provider and v.batch_id = n.batch_id and v.currency = c.currency
  left join stated w on w.provider = n.provider and w.batch_id = n.before_id and w.currency = c.currency
  left join partly_read y on y.provider = n.provider and y.batch_id in (n.batch_id, n.before_id)
  where y.batch_id is null and coalesce(w.closing_minor, 0) <> coalesce(v.opening_minor, 0)
  union all
  select n.provider, n.batch_id, v.currency, 5, 'the previous batch implies an opening balance of',
    w.closing_minor, v.opening_minor,
    n.before_closed_at
  from follower n
  join stated v on v.provider = n.provider and v.batch_id = n.batch_id and v.has_activity = 1
  join stated w on w.provider = n.provider and w.batch_id = n.before_id and w.currency = v.currency
    and w.has_activity = 1
  where w.closing_minor <> v.opening_minor
),
ranked as (
  select provider, batch_id, currency, what, expected_minor, actual_minor, before_closed_at,
    row_number() over (partition by provider, batch_id, currency order by place) as place
  from fault
)
select m.moment, r.provider || ':' || r.batch_id || ':' || r.currency as subject, r.provider, b.account, '' as order_id,
  '' as payment_id,
  coalesce(b.part_of, r.batch_id) as record_id, r.currency, r.expected_minor, r.actual_minor,
    greatest_of(b.closed_at, r.before_closed_at) as since,
  '' as connected_account, r.what
from ranked r
join settlement_batch b on b.provider = r.provider and b.batch_id = r.batch_id
join moment m on b.closed_at < m.instant and r.before_closed_at < m.instant
where r.place = 1
order by m.moment, r.provider, r.batch_id, r.currency
