-- Every refund as it stands at both moments; releases of authorisations and partial captures are no refunds.
-- The cast gives the reversal's key a type: without one SQLite compares every refund with every reversal.
insert into refund_at (
  moment, provider, refund_id, flow_key, payment_id, status, currency, amount_minor, created_at, booked_at, failed_at, settlement_currency,
  settlement_minor, reversal_id, reversed_minor, reversal_currency)
select m.moment, r.provider, r.refund_id, r.provider || ':' || coalesce(i.latest_payment_id, r.payment_id), coalesce(i.latest_payment_id, r.payment_id),
  case
    when r.status in ('failed', 'canceled') and (f.row_id is null or f.booked_at < m.instant) and (r.failed_at is null or r.failed_at < m.instant) then r.status
    when r.status in ('failed', 'canceled', 'succeeded') and (r.row_id is null or l.row_id is null or l.booked_at < m.instant) then 'succeeded'
    else 'pending'
  end,
  r.currency, r.amount_minor, r.created_at,
  case when l.booked_at < m.instant then l.booked_at end, case when f.booked_at < m.instant then f.booked_at when r.failed_at < m.instant then r.failed_at end,
  l.currency, -l.amount_minor, v.reversal_id, coalesce(v.amount_minor, 0), v.currency
from moment m
join refund r on r.created_at < m.instant and r.is_expired_authorisation = 0 and r.payment_id is not null
left join intent i on i.provider = r.provider and i.intent_id = r.payment_id
left join ledger_row l on l.provider = r.provider and l.row_id = r.row_id
left join ledger_row f on f.provider = r.provider and f.row_id = r.failure_row_id
left join posting k on k.row_no = l.row_no and k.kind = 'capture'
left join (
  select x.provider, x.refund_id, min(x.reversal_id) as reversal_id, min(x.currency) as currency, cast(sum(x.amount_minor) as bigint) as amount_minor,
    min(coalesce(b.booked_at, x.created_at)) as booked_at
  from (
    select w.provider, cast(coalesce(w.refund_id, q.refund_id) as text) as refund_id, w.reversal_id, w.currency, w.amount_minor, w.row_id, w.created_at
    from transfer_reversal w
    left join refund q on q.provider = w.provider and q.reversal_id = w.reversal_id
  ) x
  left join ledger_row b on b.provider = x.provider and b.row_id = x.row_id
  where x.refund_id is not null
  group by x.provider, x.refund_id
) v on v.provider = r.provider and v.refund_id = r.refund_id and v.booked_at < m.instant
where k.row_no is null
