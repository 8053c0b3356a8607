-- The other payouts and batches: not all of their rows are derived.
insert into settled_payout (provider, payout_id)
select k.provider, k.payout_id
from kept_payout_life k
left join alive_payout a on a.provider = k.provider and a.payout_id = k.payout_id
where a.payout_id is null
