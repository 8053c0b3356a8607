-- Disputes of providers that report whole objects are taken as stated; those of providers that report events are folded
-- from them (Resolve). $1, $2: the groups of the batch.
insert into dispute (
  provider, dispute_id, payment_id, status, provider_status, reason, currency, amount_minor, created_at, respond_by,
    landed_file, landed_line)
select s.provider, s.dispute_id, s.payment_id, s.status, s.provider_status, s.reason, s.currency, s.amount_minor,
  s.created_at, s.respond_by,
  s.landed_file, s.landed_line
from stated_dispute s
where s.group_no between $1 and $2 and not exists (select 1 from provider_trait t where t.provider = s.provider
  and t.trait = 'events')
