-- The payout's own row, and one for what the rounding of the single rows leaves over of their day.
insert into ledger_row (
  row_no, provider, row_id, account, category, currency, amount_minor, fee_minor, net_minor, booked_at, known_category, fee_sum_minor, record_id,
  record_kind, first_landed_at, landed_file, landed_line)
with line as (
  select n.provider, n.payout_id, cast(sum(l.net_minor + coalesce(f.net_minor, 0)) as bigint) as net_minor
  from settled_net n
  join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
  left join ledger_row f on f.provider = n.provider and f.row_id = n.fee_row_id
  group by n.provider, n.payout_id
),
day as (
  select p.provider, p.payout_id, p.account, p.currency, p.amount_minor, p.amount_minor - y.net_minor as rounding_minor, p.created_at,
    p.landed_file, d.observed_at
  from line y
  join payout p on p.provider = y.provider and p.payout_id = y.payout_id
  join landed_file d on d.file_id = p.landed_file
)
select - row_number() over (order by w.provider, w.row_id), w.provider, w.row_id, w.account, w.category, w.currency, w.amount_minor, 0, w.amount_minor,
  w.booked_at, 1, 0, w.record_id, w.record_kind, w.observed_at, w.landed_file, 0
from (
  select provider, 'payout:' || payout_id as row_id, account, 'settlement_payout' as category, currency, - amount_minor as amount_minor,
    created_at as booked_at, payout_id as record_id, 'payout' as record_kind, observed_at, landed_file
  from day
  union all
  select provider, 'rounding:' || payout_id, account, 'settlement_rounding', currency, rounding_minor, created_at, null, null, observed_at, landed_file
  from day
  where rounding_minor <> 0
) w
