-- Refunds that are pending, or whose ledger row was not there yet. $1: the provider, $2: nothing older is asked for.
select r.refund_id
from refund r
where r.provider = $1 and r.created_at >= $2 and (r.status = 'pending' or (r.status = 'succeeded' and r.row_id is null and r.is_expired_authorisation = 0))
order by r.refund_id
