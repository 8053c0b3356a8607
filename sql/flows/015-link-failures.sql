-- The row that takes a failed asynchronous payment back belongs to the payment.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select p.provider, p.failure_row_id, p.payment_id, 'payment', p.payment_id, null, p.currency,
  case when l.currency = p.currency then abs(l.amount_minor) else p.captured_minor end
from payment p
join ledger_row l on l.provider = p.provider and l.row_id = p.failure_row_id
where true
on conflict (provider, row_id) do nothing
