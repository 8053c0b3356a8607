-- The key {record_id} of {provider} expires at {ends}.
--
-- Why it matters: from then on the provider refuses every request, and every run is incomplete until the key is
-- replaced.
-- What clears it: another key in the configuration that expires later.
-- Suggested action: Engineering: create a new key at the provider, put it into the configuration and run `crossfoot
-- doctor`.
-- Severity: medium
-- Rests on: nothing

-- Uses the keys that the newest pull saw and the time of the snapshot, so a report that is made again is the same.
with newest as (
  select provider, max(landed_file) as landed_file
  from credential
  group by provider
)
select m.moment, c.provider || ':' || c.key_id as subject, c.provider, c.account, '' as order_id, '' as payment_id,
  c.key_id as record_id,
  '' as currency, cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor,
    c.expires_at - 604800 as since,
  '' as connected_account, c.expires_at as ends_at
from credential c
join newest n on n.provider = c.provider and n.landed_file = c.landed_file
join moment m on c.expires_at - 604800 < m.instant
order by m.moment, c.provider, c.key_id
