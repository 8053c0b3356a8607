-- The fund flow: what every party of a payment ended up with, per settlement currency, at both moments.
insert into flow (
  moment, flow_key, currency, provider, account, payment_id, gross_minor, refunded_minor, disputed_minor, transferred_minor,
  transfer_reversed_minor, application_fee_minor, application_fee_refunded_minor, provider_fee_minor, platform_net_minor,
  connected_net_minor, customer_net_minor, provider_net_minor, other_net_minor, in_range, has_capture)
select m.moment, e.flow_key, e.currency, min(e.provider), max(e.account), min(e.payment_id),
  cast(sum(case when e.kind not in ('capture', 'charge_failure') then 0 when e.to_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint),
  cast(sum(case when e.kind not in ('refund', 'refund_failure') then 0 when e.from_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint),
  cast(sum(case when e.kind not in ('dispute', 'dispute_reversal') then 0 when e.from_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint),
  cast(sum(case when e.kind = 'transfer' then e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.kind = 'transfer_reversal' then e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.kind = 'application_fee' then e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.kind = 'application_fee_refund' then e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.to_party = 'provider' then e.amount_minor when e.from_party = 'provider' then -e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then -e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.connected_account is null then 0 when e.from_party = 'platform' then e.amount_minor else -e.amount_minor end) as bigint),
  cast(sum(case when e.to_party = 'customer' then e.amount_minor when e.from_party = 'customer' then -e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.to_party = 'provider' then e.amount_minor when e.from_party = 'provider' then -e.amount_minor else 0 end) as bigint),
  cast(sum(case when e.to_party in ('other', 'bank') then e.amount_minor when e.from_party in ('other', 'bank') then -e.amount_minor else 0 end) as bigint),
  max(case when e.booked_at >= s.instant then 1 else 0 end),
  max(case when e.kind = 'capture' then 1 else 0 end)
from moment m
join moment s on s.moment = 0
join entry e on e.booked_at < m.instant
where e.flow_key is not null
group by m.moment, e.flow_key, e.currency
