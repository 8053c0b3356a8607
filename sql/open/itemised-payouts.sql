-- Payouts whose rows were read: what a payout pays does not change. $1: the provider, $2: nothing older is asked for.
select distinct y.payout_id
from payout_row y
join payout p on p.provider = y.provider and p.payout_id = y.payout_id
where y.provider = $1 and p.created_at >= $2 and p.is_itemised = 1
order by y.payout_id
