-- What was read for the range: each landed file whose pull was for one of its days, and how far its stream is known.
--
-- $1 is the range's first instant, $2 its end.
with known_until as (
  select source, stream, max(case when complete = 1 then watermark else known_until end) as watermark
  from landed_file
  group by source, stream
)
select
  f.source, f.stream, f.window_from, f.window_to, nullif(k.watermark, 0) as watermark,
  case f.complete when 1 then 'complete' else 'incomplete' end as completeness, coalesce(f.reason, '') as reason,
  f.objects, f.observed_at, f.path as file, f.sha256
from landed_file f
join known_until k on k.source = f.source and k.stream = f.stream
where f.range_from < $2 and f.range_to > $1
order by f.source, f.stream, f.observed_at, f.path
