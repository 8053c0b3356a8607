-- Disputes that are not decided, however old; a dispute can take longer than anything else, so decided ones of late are
-- asked for too.
select d.provider, d.dispute_id as record_id, case when d.status in ('inquiry', 'open') then null
  else d.created_at end as created_at
from dispute d
order by d.provider, d.dispute_id
