-- An init hash is compared in lower case: a payment whose reference holds it in capitals is known by both.
insert into payment_reference (flow_key, value, order_rank)
select r.flow_key, lower(r.value), min(r.order_rank)
from payment_reference r
join (select distinct init_hash from payment_init_call) i on i.init_hash = lower(r.value)
where r.value <> lower(r.value)
group by r.flow_key, lower(r.value)
on conflict (flow_key, value) do nothing
