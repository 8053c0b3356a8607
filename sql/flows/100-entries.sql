-- Each posting becomes an entry between parties: the role `connected` gets its account, the row its payment and its payout.
insert into entry (
  entry_id, provider, account, flow_key, payment_id, kind, from_party, to_party, connected_account, currency, amount_minor,
  presentment_currency, presentment_minor, exchange_rate, fee_type, description, booked_at, available_at, payout_id, row_id, record_id, row_name)
select l.provider || ':' || l.row_id || ':' || cast(o.ordinal as text), l.provider, l.account, k.provider || ':' || k.payment_id, k.payment_id,
  o.kind,
  case o.from_role when 'connected' then 'connected:' || coalesce(k.connected_account, 'unknown') else o.from_role end,
  case o.to_role when 'connected' then 'connected:' || coalesce(k.connected_account, 'unknown') else o.to_role end,
  case when o.from_role = 'connected' or o.to_role = 'connected' then coalesce(k.connected_account, 'unknown') end,
  o.currency, o.amount_minor,
  case when o.kind not in ('fee', 'fx', 'reserve', 'adjustment', 'transfer', 'transfer_reversal', 'payout', 'payout_reversal') then k.presentment_currency end,
  case when o.kind not in ('fee', 'fx', 'reserve', 'adjustment', 'transfer', 'transfer_reversal', 'payout', 'payout_reversal') then k.presentment_minor end,
  coalesce(s.exchange_rate, l.exchange_rate), o.fee_type, o.description, l.booked_at, l.available_at,
  coalesce(
    l.payout_id, (select max(y.payout_id) from payout_line y where y.provider = l.provider and y.row_id = l.row_id),
    case when l.payment_id is not null then (
      select max(y.payout_id)
      from row_echo x
      join payout_row y on y.provider = x.provider and y.row_id = x.row_id
      where x.provider = l.provider and x.echoes_row_id = l.row_id) end),
  l.row_id, coalesce(k.record_id, l.source_id, l.row_id), l.row_name
from posting o
join booked_row l on l.row_no = o.row_no
left join row_link k on k.provider = l.provider and k.row_id = l.row_id
left join presentment_echo s on s.provider = l.provider and s.row_id = l.row_id
