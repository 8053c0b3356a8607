-- The payments that carry an init hash which the ordering front end knows.
insert into payment_hash (flow_key, init_hash, started_at)
select r.flow_key, min(r.value), min(i.started_at)
from (select init_hash, min(at) as started_at from payment_init_call group by init_hash) i
join payment_reference r on r.value = i.init_hash
group by r.flow_key
