-- Settlement {what} {record_id} is missing: {before} and {after} are present.
--
-- Why it matters: the money of a whole batch is in no report, and no later balance can be proved.
-- What clears it: the missing report, once it is delivered and read.
-- Suggested action: Finance: deliver the missing report; if it is lost, ask the provider to generate it again.
-- Severity: high
-- Rests on: nothing

-- Covers numbers between two batches of one account that are present, and chunks between the first and the last of one
-- batch. A batch whose file was refused counts as present: the quarantine lists it by the batch's id. The first
-- thousand numbers of a gap are listed.
with recursive numbered as (
  select m.moment, b.provider, b.account, b.number, b.batch_id, b.closed_at,
    lag(b.number) over (partition by m.moment, b.provider, b.account order by b.number) as number_before,
    lag(b.batch_id) over (partition by m.moment, b.provider, b.account order by b.number) as id_before,
    lag(b.closed_at) over (partition by m.moment, b.provider, b.account order by b.number) as closed_before
  from settlement_batch b
  join moment m on b.closed_at < m.instant
  where b.number is not null
),
missing as (
  select moment, provider, account, number_before + 1 as number, number as number_after, id_before,
    batch_id as id_after,
    greatest_of(closed_at, closed_before) as since, number_before
  from numbered
  where number > number_before + 1
  union all
  select moment, provider, account, number + 1, number_after, id_before, id_after, since, number_before
  from missing
  where number + 1 < number_after and number - number_before < 1000
),
named as (
  select moment, provider, account, id_before, id_after, since,
    case when id_before = account || '/' || cast(number_before as text) then account || '/'
      else '' end || cast(number as text) as batch_id
  from missing
),
chunked as (
  select m.moment, c.provider, b.account, c.batch_id, c.chunk, b.closed_at,
    lag(c.chunk) over (partition by m.moment, c.provider, c.batch_id order by c.chunk) as chunk_before
  from batch_chunk c
  join settlement_batch b on b.provider = c.provider and b.batch_id = c.batch_id
  join moment m on b.closed_at < m.instant
),
lost as (                               -- chunks count from 0
  select moment, provider, account, batch_id, coalesce(chunk_before, -1) + 1 as chunk, chunk as chunk_after, closed_at,
    coalesce(chunk_before, -1) as chunk_before
  from chunked
  where chunk > coalesce(chunk_before, -1) + 1
  union all
  select moment, provider, account, batch_id, chunk + 1, chunk_after, closed_at, chunk_before
  from lost
  where chunk + 1 < chunk_after and chunk - chunk_before < 1000
)
select n.moment, n.provider || ':' || n.account || ':' || n.batch_id as subject, n.provider, n.account, '' as order_id,
  '' as payment_id,
  n.batch_id as record_id, '' as currency, cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor,
    n.since,
  '' as connected_account, 'batch' as what, n.id_before as before, n.id_after as after
from named n
left join quarantine q on q.source = n.provider and q.record_id = n.batch_id
where q.source is null
union all
select l.moment, l.provider || ':' || l.account || ':' || l.batch_id || ':' || cast(l.chunk as text), l.provider,
  l.account, '', '', l.batch_id, '',
  cast(null as bigint), cast(null as bigint), l.closed_at, '', 'chunk ' || cast(l.chunk as text) || ' of batch',
  case when l.chunk_before < 0 then 'its summary' else 'chunk ' || cast(l.chunk_before as text) end,
    'chunk ' || cast(l.chunk_after as text)
from lost l
order by 1, 2
