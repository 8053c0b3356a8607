-- The connected accounts that a payment belongs to in one cell, separated by a space where there are several.
insert into payment_members (flow_key, connected_accounts)
with counted as (
  select flow_key, min(connected_account) as connected_account, count(*) as accounts
  from payment_member
  group by flow_key
)
select flow_key, connected_account as connected_accounts from counted where accounts = 1
union all
select p.flow_key, p.ids
from (
  select b.flow_key, row_number() over (partition by b.flow_key order by b.connected_account) as place,
    group_concat(b.connected_account, ' ') over (partition by b.flow_key order by b.connected_account
      rows between unbounded preceding and unbounded following) as ids
  from counted c
  join payment_member b on b.flow_key = c.flow_key
  where c.accounts > 1
) p
where p.place = 1
