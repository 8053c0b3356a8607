-- Of a direct charge the platform sees only its commission: the payment is the connected account's own.
insert into payment_at (
  moment, flow_key, provider, account, payment_id, intent_id, currency, status, is_captured, captured_at, created_at, captured_minor,
  refunded_minor, failed_minor, failed_at, charged_minor, settlement_currency, settlement_captured_minor, charge_type, destination,
  asked_transfer_minor, asked_fee_minor, connected_account, transfers, transfer_currency, transferred_minor, reversed_minor, fees, fee_currency,
  fee_collected_minor, fee_returned_minor, disputed_minor, is_covered)
select m.moment, f.provider || ':' || f.payment_id, f.provider, '', f.payment_id, null, min(f.currency), 'captured', 0, null,
  min(f.created_at), 0, 0, 0, null, 0, null, 0, 'direct', min(f.connected_account), null, null, min(f.connected_account), 0, null, 0, 0,
  cast(count(*) as bigint), min(f.currency), cast(sum(f.amount_minor) as bigint), 0, 0, 0
from moment m
join application_fee f on f.created_at < m.instant and f.is_direct = 1 and f.payment_id is not null
left join payment p on p.provider = f.provider and p.payment_id = f.payment_id
where p.payment_id is null
group by m.moment, f.provider, f.payment_id
