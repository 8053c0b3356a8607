-- Every charge as it stands at both moments: what was captured, refunded and failed in the currency the customer saw, what was asked for and
-- what was moved. Declined attempts are no payments.
insert into payment_at (
  moment, flow_key, provider, account, payment_id, intent_id, currency, status, is_captured, captured_at, created_at, captured_minor,
  refunded_minor, failed_minor, failed_at, charged_minor, settlement_currency, settlement_captured_minor, charge_type, destination,
  asked_transfer_minor, asked_fee_minor, connected_account, transfers, transfer_currency, transferred_minor, reversed_minor, fees, fee_currency,
  fee_collected_minor, fee_returned_minor, disputed_minor, is_covered, open_minor, released_at)
with money as (
  select m.moment, e.flow_key,
    min(case when e.kind = 'capture' and e.to_party = 'platform' then e.booked_at end) as captured_at,
    min(case when e.kind = 'charge_failure' then e.booked_at end) as failed_at,
    cast(sum(case when e.kind <> 'capture' then 0 when e.to_party = 'platform' then e.presentment_minor else -e.presentment_minor end) as bigint) as charged_minor,
    cast(sum(case when e.kind <> 'charge_failure' then 0 when e.from_party = 'platform' then e.presentment_minor else -e.presentment_minor end) as bigint) as failed_minor,
    cast(sum(case when e.kind not in ('refund', 'refund_failure') then 0 when e.from_party = 'platform' then e.presentment_minor else -e.presentment_minor end) as bigint) as refunded_minor,
    min(case when e.kind = 'capture' then e.currency end) as settlement_currency,
    cast(sum(case when e.kind not in ('capture', 'charge_failure') then 0 when e.to_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint) as settlement_captured_minor,
    cast(sum(case when e.kind not in ('dispute', 'dispute_reversal') then 0 when e.from_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint) as disputed_minor,
    cast(sum(case when e.kind = 'transfer' then 1 else 0 end) as bigint) as transfers,
    min(case when e.kind in ('transfer', 'transfer_reversal') then e.currency end) as transfer_currency,
    max(case when e.kind in ('transfer', 'transfer_reversal') then e.currency end) as other_transfer_currency,
    cast(sum(case when e.kind = 'transfer' then e.amount_minor else 0 end) as bigint) as transferred_minor,
    cast(sum(case when e.kind = 'transfer_reversal' then e.amount_minor else 0 end) as bigint) as reversed_minor,
    min(case when e.kind = 'transfer' then e.connected_account end) as connected_account,
    min(case when e.kind in ('application_fee', 'application_fee_refund') then e.currency end) as fee_ledger_currency,
    max(case when e.kind in ('application_fee', 'application_fee_refund') then e.currency end) as other_fee_ledger_currency,
    cast(sum(case when e.kind = 'application_fee_refund' then e.amount_minor else 0 end) as bigint) as fee_returned_minor
  from moment m
  join entry e on e.booked_at < m.instant
  where e.flow_key is not null
  group by m.moment, e.flow_key
), confirmed as (                        -- of payments that tell events: captured from the first word of it, money row or not; what failed was captured
  select m.moment, c.flow_key, min(case when c.is_failure = 0 then c.captured_at end) as captured_at,
    min(case when c.is_failure = 1 then c.confirmed_at end) as failed_at,
    cast(sum(case when c.is_failure = 0 or c.is_alone = 1 then c.amount_minor else 0 end) as bigint) as charged_minor,
    cast(sum(case when c.is_failure = 1 then c.amount_minor else 0 end) as bigint) as failed_minor
  from moment m
  join payment_capture c on c.confirmed_at < m.instant
  group by m.moment, c.flow_key
), entered as (                          -- the money rows' word, or the events' where there are any
  select m.moment, p.flow_key, p.tells_events,
    case when p.tells_events = 0 then y.captured_at else c.captured_at end as captured_at,
    case when p.tells_events = 0 then y.failed_at else c.failed_at end as failed_at,
    coalesce(case when p.tells_events = 0 then y.charged_minor else c.charged_minor end, 0) as charged_minor,
    coalesce(case when p.tells_events = 0 then y.failed_minor else c.failed_minor end, 0) as failed_minor,
    case
      when p.tells_events = 0 then case when y.captured_at is null then 0 else 1 end
      when c.charged_minor is not null or y.flow_key is not null then 1
      else 0
    end as is_captured,
    y.refunded_minor, y.settlement_currency, y.settlement_captured_minor, y.disputed_minor, y.transfers, y.transfer_currency,
    y.other_transfer_currency, y.transferred_minor, y.reversed_minor, y.connected_account, y.fee_ledger_currency, y.other_fee_ledger_currency,
    y.fee_returned_minor
  from moment m
  join payment p on p.created_at < m.instant and p.is_declined = 0
  left join money y on y.moment = m.moment and y.flow_key = p.flow_key
  left join confirmed c on c.moment = m.moment and c.flow_key = p.flow_key and p.tells_events = 1
), fee as (
  select m.moment, f.provider, f.payment_id, cast(count(*) as bigint) as fees, min(f.currency) as currency, max(f.currency) as other_currency,
    cast(sum(f.amount_minor) as bigint) as collected_minor
  from moment m
  join application_fee f on true
  left join ledger_row l on l.provider = f.provider and l.row_id = f.row_id
  where coalesce(l.booked_at, f.created_at) < m.instant and f.payment_id is not null
  group by m.moment, f.provider, f.payment_id
), voided as (
  select r.provider, r.payment_id, min(r.created_at) as voided_at
  from refund r
  where r.is_expired_authorisation = 1
  group by r.provider, r.payment_id
), linked as (
  select j.provider, j.payment_id, cast(count(*) as bigint) as transfers
  from payment_transfer j
  group by j.provider, j.payment_id
)
select m.moment, p.flow_key, p.provider, p.account, p.payment_id, p.intent_id, p.currency,
  case
    when y.is_captured = 0 then
      case
        when p.canceled_at < m.instant then 'canceled'
        when p.tells_events = 1 and (p.authorised_at is null or p.authorised_at >= m.instant) then 'started'
        when p.status = 'failed' or v.voided_at < m.instant or i.canceled_at < m.instant or (i.status = 'canceled' and i.canceled_at is null) then 'canceled'
        else 'authorised'
      end
    when y.failed_minor > 0 and y.charged_minor <= y.failed_minor then 'failed'
    when y.disputed_minor > 0 then 'disputed'
    when y.refunded_minor > 0 and y.refunded_minor >= y.charged_minor - y.failed_minor and y.captured_at is not null then 'refunded'
    when y.refunded_minor > 0 then 'partially_refunded'
    else 'captured'
  end,
  y.is_captured, y.captured_at, p.created_at,
  coalesce(y.charged_minor - y.failed_minor, 0) - case when r.is_complete = 0 and p.captured_minor > 0 and y.charged_minor > p.captured_minor then y.charged_minor - p.captured_minor else 0 end,
  coalesce(y.refunded_minor, 0), coalesce(y.failed_minor, 0), y.failed_at,
  coalesce(y.charged_minor, 0) - case when r.is_complete = 0 and p.captured_minor > 0 and y.charged_minor > p.captured_minor then y.charged_minor - p.captured_minor else 0 end,
  y.settlement_currency,
  coalesce(y.settlement_captured_minor, 0)
    - case when y.settlement_currency = p.currency then case when r.is_complete = 0 and p.captured_minor > 0 and y.charged_minor > p.captured_minor then y.charged_minor - p.captured_minor else 0 end else 0 end,
  case
    when coalesce(p.destination, i.destination) is not null then
      case
        when coalesce(p.transfer_amount_minor, i.transfer_amount_minor) is not null then 'destination_transfer_amount'
        when coalesce(p.application_fee_minor, i.application_fee_minor, 0) > 0 or coalesce(f.fees, 0) > 0 then 'destination_application_fee'
        else 'destination_full'
      end
    when coalesce(t.transfers, 0) > 0 or y.transfers > 0 then 'separate'
    else 'platform'
  end,
  coalesce(p.destination, i.destination), coalesce(p.transfer_amount_minor, i.transfer_amount_minor),
  coalesce(p.application_fee_minor, i.application_fee_minor), coalesce(y.connected_account, p.destination, i.destination),
  coalesce(y.transfers, 0), case when y.transfer_currency = y.other_transfer_currency then y.transfer_currency end,
  coalesce(y.transferred_minor, 0), coalesce(y.reversed_minor, 0),
  coalesce(f.fees, 0), case when f.currency = f.other_currency then f.currency end, coalesce(f.collected_minor, 0),
  case
    when y.fee_ledger_currency = y.other_fee_ledger_currency and (f.currency is null or y.fee_ledger_currency = f.currency)
      then coalesce(y.fee_returned_minor, 0)
    else 0
  end,
  coalesce(y.disputed_minor, 0),
  case when y.captured_at >= k.covers_from then 1 else 0 end,
  case
    when p.tells_events = 1 and y.is_captured = 1 and p.capture_before >= m.instant and (p.canceled_at is null or p.canceled_at >= m.instant)
      then greatest_of(p.amount_minor - y.charged_minor, 0)
    else 0
  end,
  case
    when p.tells_events = 1 then case
      when p.authorised_at is not null and p.canceled_at < m.instant and (y.is_captured = 0 or y.charged_minor < p.amount_minor) then p.canceled_at end
    when y.is_captured = 0 then case when v.voided_at < m.instant then v.voided_at when i.canceled_at < m.instant then i.canceled_at end
  end
from moment m
join payment p on p.created_at < m.instant and p.is_declined = 0
join entered y on y.moment = m.moment and y.flow_key = p.flow_key
left join intent i on i.provider = p.provider and i.intent_id = p.intent_id
left join fee f on f.moment = m.moment and f.provider = p.provider and f.payment_id = p.payment_id
left join voided v on v.provider = p.provider and v.payment_id = p.payment_id
left join linked t on t.provider = p.provider and t.payment_id = p.payment_id
left join known k on k.source = p.provider and k.subject = 'payments'
-- Where refunds were not read, the reversal of a partial capture cannot be placed: the charge's own word stands in for it.
left join known r on r.source = p.provider and r.subject = 'refunds'
