-- A transfer without a link joins the earliest payment that carries the same order reference.
insert into payment_transfer (provider, transfer_id, payment_id, joined_by)
select f.provider, f.transfer_id, f.payment_id, 'order'
from (
  select t.provider, t.transfer_id, p.payment_id,
    row_number() over (partition by t.provider, t.transfer_id order by p.created_at, p.payment_id) as place
  from transfer t
  join reference r on r.value = t.order_reference and r.provider = t.provider and (r.order_rank is not null or r.name = 'metadata.order_id')
  join payment p on p.provider = t.provider and p.payment_id = r.owner_id and p.landed_file = r.landed_file and p.is_declined = 0 and p.is_captured = 1
  where t.payment_id is null
) f
where f.place = 1
