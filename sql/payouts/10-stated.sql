-- Payouts are taken as stated, except those that their provider reports step by step.
insert into payout (
  provider, payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised, row_id,
    failure_row_id, failure_code,
  bank_reference, landed_file, landed_line)
select s.provider, s.payout_id, s.account, s.currency, s.amount_minor, s.created_at, s.arrival_on, s.status,
  s.is_itemised, s.row_id,
  s.failure_row_id, s.failure_code, s.bank_reference, s.landed_file, s.landed_line
from stated_payout s
left join (select distinct t.provider, t.payout_id from payout_step t) t on t.provider = s.provider
  and t.payout_id = s.payout_id
where t.payout_id is null
