-- Every record that was refused or could not be placed, where it lies and why: nothing is dropped silently.
select source, location, record_id, reason
from quarantine
order by source, location, record_id
