-- Payouts that are on their way, or that can still come back.
select p.provider, p.payout_id as record_id, p.created_at
from payout p
order by p.provider, p.payout_id
