-- Payouts that are on their way, or that can still come back. $1: the provider, $2: nothing older is asked for.
select p.payout_id
from payout p
where p.provider = $1 and p.created_at >= $2
order by p.payout_id
