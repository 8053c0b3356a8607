-- Payouts that are told step by step are made anew by every run.
delete from payout
where (provider, payout_id) in (select s.provider, s.payout_id from payout_step s)
