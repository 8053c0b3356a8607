-- The landed files that the range rests on: what was asked for, how far it is known, and whether it was read in full.
--
-- $1 is the range's first instant, $2 its end.
select
  source, stream, observed_at, window_from, window_to, watermark,
  case when complete = 1 then 'yes' else 'no' end as complete, coalesce(reason, '') as reason, objects, path, sha256
from landed_file
where range_from < $2 and range_to > $1
order by source, stream, observed_at, path
