-- A refund names its own ledger row, and the row that brings it back when it fails.
-- A refund that names only the intent belongs to the intent's latest payment.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select r.provider, l.row_id, r.refund_id, 'refund', coalesce(i.latest_payment_id, r.payment_id), null, r.currency, r.amount_minor
from (
  select provider, refund_id, payment_id, currency, amount_minor, row_id from refund where row_id is not null
  union all
  select provider, refund_id, payment_id, currency, amount_minor, failure_row_id from refund where failure_row_id is not null
) r
join ledger_row l on l.provider = r.provider and l.row_id = r.row_id
left join intent i on i.provider = r.provider and i.intent_id = r.payment_id
where true
on conflict (provider, row_id) do nothing
