-- A transfer still without a payment joins the earliest payment of its transfer group.
insert into payment_transfer (provider, transfer_id, payment_id, joined_by)
select f.provider, f.transfer_id, f.payment_id, 'group'
from (
  select t.provider, t.transfer_id, p.payment_id,
    row_number() over (partition by t.provider, t.transfer_id order by p.created_at, p.payment_id) as place
  from transfer t
  join reference r on r.value = t.transfer_group and r.provider = t.provider and r.name = 'transfer_group'
  join payment p on p.provider = t.provider and p.payment_id = r.owner_id and p.landed_file = r.landed_file and p.is_declined = 0 and p.is_captured = 1
  left join payment_transfer j on j.provider = t.provider and j.transfer_id = t.transfer_id
  where j.transfer_id is null and t.transfer_group is not null
) f
where f.place = 1
