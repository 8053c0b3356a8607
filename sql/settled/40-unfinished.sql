-- Groups that are as they should be, and of which a deadline can still pass: not captured, not paid out, reported by
-- events, or sold by a seller to whom nothing was transferred.
insert into unfinished_group (group_no)
select u.group_no
from (
  select l.group_no
  from ledger_row l
  left join payout_row y on y.provider = l.provider and y.row_id = l.row_id
  where y.row_id is null and l.row_no >= 0
  union
  select p.group_no from stated_payment p where p.is_captured = 0 and p.is_declined = 0
  union
  select e.group_no from record_event e
  union
  select c.group_no from payment_init_call c
  union
  select d.group_no from stated_dispute d
  union
  select i.group_no from intent i where i.status <> 'succeeded'
  union
  select p.group_no
  from stated_payment p
  join payment_at t on t.moment = 1 and t.flow_key = p.flow_key and t.transfers = 0
  join pair_at r on r.moment = 1 and r.flow_key = p.flow_key
  join customer_order c on c.order_id = r.order_id and c.seller_account is not null
  where substr(t.charge_type, 1, 11) <> 'destination'
) u
left join unfinished_group g on g.group_no = u.group_no
where g.group_no is null
