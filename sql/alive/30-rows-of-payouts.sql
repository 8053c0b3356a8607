-- The groups of every row that such a payout or batch pays, and of its own rows: their sum is made of all of them.
insert into alive_group (group_no)
select p.group_no
from (
  select y.group_no from alive_payout a cross join payout_line y
  where y.provider = a.provider and y.payout_id = a.payout_id
  union
  select l.group_no from alive_payout a cross join ledger_row l
  where l.provider = a.provider and l.payout_id = a.payout_id
  union
  select n.group_no from alive_payout a cross join settled_net n
  where n.provider = a.provider and n.payout_id = a.payout_id
  union
  select l.group_no
  from alive_payout a
  cross join stated_payout s
  cross join ledger_row l
  where s.provider = a.provider and s.payout_id = a.payout_id and l.provider = s.provider
    and l.row_id in (s.row_id, s.failure_row_id)
  union
  select l.group_no
  from alive_payout a
  cross join payout_step t
  cross join ledger_row l
  where t.provider = a.provider and t.payout_id = a.payout_id and l.provider = t.provider and l.row_id = t.row_id
) p
left join alive_group g on g.group_no = p.group_no
where g.group_no is null
