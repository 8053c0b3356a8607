-- Payments that can still change: pending ones, authorisations, and captures whose ledger row was not there yet.
-- $1: the provider, $2: nothing older is asked for.
select p.payment_id
from payment p
left join ledger_row l on l.provider = p.provider and l.source_id = p.payment_id
where p.provider = $1 and p.created_at >= $2 and p.is_declined = 0
  and (p.status = 'pending' or p.is_captured = 0 or l.row_id is null)
order by p.payment_id
