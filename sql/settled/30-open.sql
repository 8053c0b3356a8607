-- Groups of which something is open: a row of theirs is paid by a payout that is, or a term of the control total is
-- pending or has no payment.
insert into open_group (group_no)
select o.group_no
from (
  select y.group_no
  from payout_line y
  join kept_payout_life k on k.provider = y.provider and k.payout_id = y.payout_id
  where k.settled_at is null
  union
  select l.group_no
  from ledger_row l
  join kept_payout_life k on k.provider = l.provider and k.payout_id = l.payout_id
  where k.settled_at is null
  union
  select n.group_no
  from settled_net n
  join kept_payout_life k on k.provider = n.provider and k.payout_id = n.payout_id
  where k.settled_at is null
  union
  select c.group_no from control_item c where c.term = 'pending' or c.group_id is null
) o
left join open_group g on g.group_no = o.group_no
where g.group_no is null
