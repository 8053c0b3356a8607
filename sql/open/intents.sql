-- Intents that are neither paid nor cancelled. $1: the provider, $2: nothing older is asked for.
select i.intent_id
from intent i
where i.provider = $1 and i.created_at >= $2 and i.status in ('abandoned', 'started', 'processing', 'authorised')
order by i.intent_id
