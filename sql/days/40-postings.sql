-- A day's payout goes to the bank, a negative one comes back from it with the next; the rounding is between the
-- provider and us. $1: the provider, $2: the landed file whose days they are.
insert into posting (row_no, ordinal, kind, from_role, to_role, currency, amount_minor, description)
select l.row_no, 0, case l.category when 'settlement_payout' then 'payout' else 'adjustment' end,
  case when l.amount_minor < 0 then 'platform' when l.category = 'settlement_payout' then 'bank' else 'provider' end,
  case when l.amount_minor > 0 then 'platform' when l.category = 'settlement_payout' then 'bank' else 'provider' end,
  l.currency, abs(l.amount_minor), case l.category when 'settlement_rounding' then 'rounding of the settlement day' end
from (select distinct n.payout_id from settled_net n where n.landed_file = $2 and n.provider = $1) d
join ledger_row l on l.provider = $1 and l.row_id in ('payout:' || d.payout_id, 'rounding:' || d.payout_id)
where l.row_no < 0 and l.amount_minor <> 0
