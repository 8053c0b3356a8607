-- A payout from its steps: it began with the first, its newest says how it stands, and the first that brought money
-- back is its failure.
insert into payout (
  provider, payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised, row_id,
    failure_row_id, failure_code,
  bank_reference, landed_file, landed_line)
with ranked as (
  select s.provider, s.payout_id, s.account, s.currency, s.amount_minor, s.row_id, s.bank_reference,
    row_number() over (partition by s.provider, s.payout_id order by case when s.amount_minor > 0 then 0 else 1 end,
      s.happened_at, s.row_id) as place,
    first_value(s.status) over newest as status, first_value(s.landed_file) over newest as landed_file,
    first_value(s.landed_line) over newest as landed_line,
    min(s.happened_at) over (partition by s.provider, s.payout_id) as created_at,
    first_value(case when s.amount_minor < 0 then s.row_id end) over (partition by s.provider, s.payout_id
      order by case when s.amount_minor < 0 then 0 else 1 end, s.happened_at, s.row_id
      rows between unbounded preceding and unbounded following) as failure_row_id
  from payout_step s
  window newest as (partition by s.provider, s.payout_id order by s.happened_at desc, s.amount_minor, s.row_id desc)
)
select f.provider, f.payout_id, f.account, f.currency, abs(f.amount_minor), f.created_at, null, f.status,
  case when exists (select 1 from payout_row y where y.provider = f.provider and y.payout_id = f.payout_id) then 1
    else 0 end,
  l.row_id, f.failure_row_id, null, f.bank_reference, f.landed_file, f.landed_line
from ranked f
left join ledger_row l on l.provider = f.provider and l.row_id = f.row_id
where f.place = 1
