-- Every record that was refused or could not be placed, where it lies and why: nothing is dropped silently. A record that
-- later pulls delivered and refused again is listed where it was read last; one without an id is known by its place.
select source, location, record_id, reason
from (
  select source, location, record_id, reason, landed_file,
    max(landed_file) over (partition by source, stream, record_id, reason,
      case when record_id = '' then location else '' end) as newest_file
  from quarantine
) q
where landed_file is null or landed_file = newest_file
order by source, location, record_id
