-- Disputes that are not decided. $1: the provider, $2: nothing older is asked for; a dispute can take longer than anything else, so all are.
select d.dispute_id
from dispute d
where d.provider = $1 and (d.status in ('inquiry', 'open') or d.created_at >= $2)
order by d.dispute_id
