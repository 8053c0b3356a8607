-- A settlement day's payout is the sum of its exact nets, rounded once: a row of its own, and one for what the rounding
-- of the single rows leaves over of the day. Their numbers follow from the day's first row. $1: the provider,
-- $2: the landed file whose days they are.
insert into ledger_row (
  row_no, provider, row_id, account, category, currency, amount_minor, fee_minor, net_minor, booked_at, known_category,
    fee_sum_minor, record_id,
  record_kind, first_landed_at, landed_file, landed_line)
with day as (
  select n.provider, n.payout_id, min(n.account) as account, min(n.currency) as currency, min(l.row_no) as first_row,
    proportion(cast(sum(n.net_millionths) as bigint), 1, min(n.minor_millionths)) as amount_minor,
    cast(sum(l.net_minor + coalesce(f.net_minor, 0)) as bigint) as net_minor, min(n.settled_at) as settled_at,
      max(n.landed_file) as landed_file
  from settled_net n
  join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
  left join ledger_row f on f.provider = n.provider and f.row_id = n.fee_row_id
  where n.provider = $1
    and n.payout_id in (select s.payout_id from settled_net s where s.landed_file = $2 and s.provider = $1)
  group by n.provider, n.payout_id
)
select -2 * d.first_row, d.provider, 'payout:' || d.payout_id, d.account, 'settlement_payout', d.currency,
  - d.amount_minor, 0, - d.amount_minor,
  d.settled_at, 1, 0, d.payout_id, 'payout', f.observed_at, d.landed_file, 0
from day d
join landed_file f on f.file_id = d.landed_file
union all
select -2 * d.first_row - 1, d.provider, 'rounding:' || d.payout_id, d.account, 'settlement_rounding', d.currency,
  d.amount_minor - d.net_minor, 0,
  d.amount_minor - d.net_minor, d.settled_at, 1, 0, null, null, f.observed_at, d.landed_file, 0
from day d
join landed_file f on f.file_id = d.landed_file
where d.amount_minor <> d.net_minor
