-- Where the movements of the derived groups that lie in a closed period are not what its seal holds of their records,
-- with the adjustments noted so far. What is booked between two closed periods is part of the later one's opening. A
-- row that is worked out at every run can go; any other is there as long as the store. $1: 1 where everything was
-- derived, so that a row that is not there has gone.
with side as (
  select c.seal, m.provider, m.row_id, m.account, m.connected_account, m.currency,
    case when m.booked_at < c.starts_at then 'opening' else m.figure end as figure,
    m.record_id, m.payment_id, coalesce(m.flow_key, '') as flow_key, '' as order_id,
    cast(0 as bigint) as before_minor, m.amount_minor as after_minor
  from movement m
  join closed_period c on m.booked_at >= c.covers_from and m.booked_at < c.ends_at
  union all
  select s.seal, s.provider, s.row_id, s.account, s.connected_account, s.currency, s.figure, s.record_id, s.payment_id,
    '', s.order_id, s.amount_minor, 0
  from ledger_row l
  join sealed_movement s on s.provider = l.provider and s.row_id = l.row_id
  union all
  select s.seal, s.provider, s.row_id, s.account, s.connected_account, s.currency, s.figure, s.record_id, s.payment_id,
    '', s.order_id, s.amount_minor, 0
  from sealed_movement s
  left join ledger_row l on l.provider = s.provider and l.row_id = s.row_id
  where s.is_made = 1 and l.row_id is null
  union all
  select s.seal, s.provider, s.row_id, s.account, s.connected_account, s.currency, s.figure, s.record_id, s.payment_id,
    '', s.order_id, s.amount_minor, 0
  from sealed_movement s
  left join ledger_row l on l.provider = s.provider and l.row_id = s.row_id
  where s.is_made = 0 and $1 = 1 and l.row_id is null
),
total as (
  select seal, provider, row_id, account, connected_account, currency, figure, max(record_id) as record_id,
    max(payment_id) as payment_id, max(flow_key) as flow_key, max(order_id) as order_id,
    cast(sum(before_minor) as bigint) as before_minor, cast(sum(after_minor) as bigint) as after_minor
  from side
  group by seal, provider, row_id, account, connected_account, currency, figure
),
counted as (
  select t.*,
    max(case when after_minor <> 0 then 1 else 0 end) over (partition by seal, provider, row_id) as counts
  from total t
)
select d.seal, d.provider, d.row_id, d.account, d.connected_account, d.currency, d.figure, d.record_id, d.payment_id,
  d.order_id, d.flow_key, d.before_minor, d.after_minor,
  case when l.row_id is null then 0 else 1 end as is_there, l.row_no,
  coalesce(f.sequence, 0) as changed_sequence, d.counts, coalesce(l.group_no, 0) as group_no
from counted d
left join ledger_row l on l.provider = d.provider and l.row_id = d.row_id
left join landed_file f on f.file_id = case when l.row_no < 0 then l.landed_file else l.changed_in end
where d.before_minor <> d.after_minor
order by d.seal, d.provider, d.account, d.connected_account, d.currency, d.row_id, d.figure
