-- The groups of which nothing can change any more without a further record, and from when on: at the end of the day
-- (UTC) of the last fact, or after the longest deadline where one can still pass. $1: that deadline in seconds; $2: the
-- range's end.
insert into settled_group (group_no, first_at, settled_at)
select s.group_no, s.first_at, s.settled_at
from (
  select f.group_no, f.first_at, f.known_until,
    ((f.last_at + case when u.group_no is null then 0 else $1 end) / 86400 + 1) * 86400 as settled_at
  from group_fact f
  left join unfinished_group u on u.group_no = f.group_no
  left join open_group o on o.group_no = f.group_no
  where o.group_no is null
) s
where s.settled_at <= $2 and s.settled_at <= s.known_until
