-- Refunds that are pending, or whose ledger row was not there yet. Of a provider that reports events only the pending
-- ones: their money rows come in files of their own.
select r.provider, r.refund_id as record_id, r.created_at
from refund r
left join provider_trait t on t.provider = r.provider and t.trait = 'events'
where r.status = 'pending' or (r.status = 'succeeded' and r.row_id is null and r.is_expired_authorisation = 0
  and t.provider is null)
order by r.provider, r.refund_id
