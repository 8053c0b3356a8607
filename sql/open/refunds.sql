-- Refunds that are pending, or whose ledger row was not there yet. $1: the provider, $2: nothing older is asked for.
-- Of a provider that tells events only the pending ones: their money rows come in files of their own.
select r.refund_id
from refund r
left join (select e.provider from record_event e where e.provider = $1 group by e.provider) t on t.provider = r.provider
where r.provider = $1 and r.created_at >= $2
  and (r.status = 'pending' or (r.status = 'succeeded' and r.row_id is null and r.is_expired_authorisation = 0 and t.provider is null))
order by r.refund_id
