-- The groups of which something can happen in the range: touched since they were derived, open, or settled only after
-- the range began; those of which nothing has happened before its end are left out. Records without a group of their
-- own are always in. $1: from when on, $2: the end.
insert into alive_group (group_no)
select 0
union
select g.group_no from record_group g where g.is_touched = 1
union
select g.group_no from record_group g where g.settled_at is null and g.first_at < $2
union
select g.group_no from record_group g where g.settled_at > $1 and g.first_at < $2
