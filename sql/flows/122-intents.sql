-- An intent whose approval was begun and that no charge came of is a payment that never concluded: no money, only a state.
insert into payment_at (
  moment, flow_key, provider, account, payment_id, intent_id, currency, status, is_captured, captured_at, created_at, captured_minor,
  refunded_minor, failed_minor, failed_at, charged_minor, settlement_currency, settlement_captured_minor, charge_type, destination,
  asked_transfer_minor, asked_fee_minor, connected_account, transfers, transfer_currency, transferred_minor, reversed_minor, fees, fee_currency,
  fee_collected_minor, fee_returned_minor, disputed_minor, is_covered)
select m.moment, i.provider || ':' || i.intent_id, i.provider, '', i.intent_id, i.intent_id, i.currency,
  case when i.canceled_at < m.instant or (i.status = 'canceled' and i.canceled_at is null) then 'canceled' else 'started' end,
  0, null, i.created_at, 0, 0, 0, null, 0, null, 0,
  case when i.destination is null then 'platform' when i.transfer_amount_minor is not null then 'destination_transfer_amount'
    when coalesce(i.application_fee_minor, 0) > 0 then 'destination_application_fee' else 'destination_full' end,
  i.destination, i.transfer_amount_minor, i.application_fee_minor, i.destination, 0, null, 0, 0, 0, null, 0, 0, 0, 0
from moment m
join intent i on i.created_at < m.instant and i.status in ('started', 'processing', 'authorised', 'canceled')
left join (
  select p.provider, p.intent_id, min(p.payment_id) as payment_id
  from payment p
  where p.is_declined = 0 and p.intent_id is not null
  group by p.provider, p.intent_id
) p on p.provider = i.provider and p.intent_id = i.intent_id
where p.payment_id is null
