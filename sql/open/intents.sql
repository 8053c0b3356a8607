-- Intents that are neither paid nor cancelled.
select i.provider, i.intent_id as record_id, i.created_at
from intent i
where i.status in ('abandoned', 'started', 'processing', 'authorised')
order by i.provider, i.intent_id
