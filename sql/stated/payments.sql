-- Payments of providers that report whole objects are taken as stated; those of providers that report events are folded
-- from them (Resolve). $1, $2: the groups of the batch.
insert into payment (
  provider, payment_id, flow_key, account, intent_id, status, is_captured, is_declined, currency, amount_minor,
    captured_minor, created_at,
  capture_before, destination, transfer_amount_minor, application_fee_minor, transfer_group, method, row_id,
    failure_row_id, landed_file,
  landed_line)
select s.provider, s.payment_id, s.flow_key, s.account, s.intent_id, s.status, s.is_captured, s.is_declined, s.currency,
  s.amount_minor,
  s.captured_minor, s.created_at, s.capture_before, s.destination, s.transfer_amount_minor, s.application_fee_minor,
    s.transfer_group, s.method,
  s.row_id, s.failure_row_id, s.landed_file, s.landed_line
from stated_payment s
where s.group_no between $1 and $2 and not exists (select 1 from provider_trait t where t.provider = s.provider
  and t.trait = 'events')
