-- The newest payout or batch of the range's end that says it pays a row.
insert into paid_row (provider, row_id, payout_id)
select provider, row_id, payout_id
from (
  select y.provider, y.row_id, y.payout_id,
    row_number() over (partition by y.provider, y.row_id
      order by coalesce(p.created_at, b.closed_at) desc, y.payout_id) as place
  from payout_row y
  join moment m on m.moment = 1
  left join payout p on p.provider = y.provider and p.payout_id = y.payout_id
  left join settlement_batch b on b.provider = y.provider and b.batch_id = y.payout_id
  where p.is_itemised = 1 and p.created_at < m.instant or p.payout_id is null and b.closed_at < m.instant
) r
where r.place = 1
