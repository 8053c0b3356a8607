-- Payouts whose rows were read: what a payout pays does not change. One of whose rows came back different since is read
-- again.
with changed as (
  select distinct y.provider, y.payout_id
  from record_change c
  join payout_line y on y.provider = c.provider and y.row_id = c.record_id and y.landed_file < c.landed_file
)
select distinct y.provider, y.payout_id as record_id, p.created_at
from payout_row y
join payout p on p.provider = y.provider and p.payout_id = y.payout_id
left join changed c on c.provider = y.provider and c.payout_id = y.payout_id
where p.is_itemised = 1 and c.payout_id is null
order by y.provider, y.payout_id
