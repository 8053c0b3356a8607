-- A transfer belongs to the charge it names as its source.
insert into payment_transfer (provider, transfer_id, payment_id, joined_by)
select t.provider, t.transfer_id, t.payment_id, 'source'
from transfer t
where t.payment_id is not null
