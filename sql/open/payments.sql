-- Payments that can still change: pending ones, authorisations, and captures whose ledger row was not there yet; of a
-- provider that reports events those that are neither captured nor released.
select distinct p.provider, p.payment_id as record_id, p.created_at
from payment p
left join ledger_row l on l.provider = p.provider and l.source_id = p.payment_id
where p.is_declined = 0 and (p.canceled_at is null or p.canceled_at = p.capture_before)
  and (p.status = 'pending' or p.is_captured = 0 or l.row_id is null and p.tells_events = 0)
order by p.provider, p.payment_id
