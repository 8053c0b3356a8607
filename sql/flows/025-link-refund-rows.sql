-- A row whose source is a refund belongs to it, also where the refund does not name the row (a failure booked as an adjustment).
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select r.provider, l.row_id, r.refund_id, 'refund', coalesce(i.latest_payment_id, r.payment_id), null, r.currency, r.amount_minor
from refund r
join ledger_row l on l.provider = r.provider and l.source_id = r.refund_id
left join intent i on i.provider = r.provider and i.intent_id = r.payment_id
where true
on conflict (provider, row_id) do nothing
