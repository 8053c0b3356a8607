-- Refunds of providers that report whole objects are taken as stated; those of providers that report events are folded
-- from them (Resolve). $1, $2: the groups of the batch, $3: its number.
insert into refund (
  provider, refund_id, payment_id, status, currency, amount_minor, created_at, row_id, failure_row_id, reversal_id,
    is_expired_authorisation,
  landed_file, landed_line, failed_at, batch_no)
select s.provider, s.refund_id, s.payment_id, s.status, s.currency, s.amount_minor, s.created_at, s.row_id,
  s.failure_row_id, s.reversal_id,
  s.is_expired_authorisation, s.landed_file, s.landed_line, s.failed_at, cast($3 as bigint)
from stated_refund s
where s.group_no between $1 and $2 and not exists (select 1 from provider_trait t where t.provider = s.provider
  and t.trait = 'events')
