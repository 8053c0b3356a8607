-- Payouts whose rows were read: what a payout pays does not change.
select distinct y.provider, y.payout_id as record_id, p.created_at
from payout_row y
join payout p on p.provider = y.provider and p.payout_id = y.payout_id
where p.is_itemised = 1
order by y.provider, y.payout_id
