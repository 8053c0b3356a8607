-- A dispute's rows, as it names them or as they name it.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select d.provider, l.row_id, d.dispute_id, 'dispute', coalesce(i.latest_payment_id, d.payment_id), null, d.currency,
  case when l.currency = d.currency then abs(l.amount_minor) else d.amount_minor end
from dispute d
join (
  select w.provider, w.dispute_id, w.row_id from dispute_row w
  union
  select s.provider, s.source_id, s.row_id from ledger_row s join dispute n on n.provider = s.provider and n.dispute_id = s.source_id
) w on w.provider = d.provider and w.dispute_id = d.dispute_id
join ledger_row l on l.provider = w.provider and l.row_id = w.row_id
left join intent i on i.provider = d.provider and i.intent_id = d.payment_id
where true
on conflict (provider, row_id) do nothing
