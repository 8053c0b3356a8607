-- The payouts and batches of which something can happen: open or settled only after the range began, reported anew by
-- their provider, or paying a row of a group that was touched, or named by one (booked, or money that came back). $1:
-- from when on. A row that the provider does not name was found (sql/payouts), and is no news.
-- `cross join` keeps SQLite from going through all that ever landed for the few groups.
insert into alive_payout (provider, payout_id)
select k.provider, k.payout_id from kept_payout_life k where k.settled_at is null or k.settled_at > $1
union
select s.provider, s.payout_id
from stated_payout s
left join kept_payout k on k.provider = s.provider and k.payout_id = s.payout_id
where k.payout_id is null or k.account <> s.account or k.currency <> s.currency or k.amount_minor <> s.amount_minor
  or k.created_at <> s.created_at
  or k.status <> s.status or k.is_itemised <> s.is_itemised or coalesce(k.arrival_on, '') <> coalesce(s.arrival_on, '')
  or s.row_id is not null and coalesce(k.row_id, '') <> s.row_id or s.failure_row_id is not null
    and coalesce(k.failure_row_id, '') <> s.failure_row_id
  or coalesce(k.failure_code, '') <> coalesce(s.failure_code, '')
    or coalesce(k.bank_reference, '') <> coalesce(s.bank_reference, '')
union
select t.provider, t.payout_id
from payout_step t
left join kept_payout_life k on k.provider = t.provider and k.payout_id = t.payout_id
where k.payout_id is null or t.landed_file > k.landed_file
union
select b.provider, b.batch_id
from settlement_batch b
left join kept_payout_life k on k.provider = b.provider and k.payout_id = b.batch_id
where k.payout_id is null or b.landed_file > k.landed_file
union
select v.provider, v.batch_id
from batch_value v
left join kept_payout_life k on k.provider = v.provider and k.payout_id = v.batch_id
where k.payout_id is null or v.landed_file > k.landed_file
union
select y.provider, y.payout_id from record_group g cross join payout_line y
where g.is_touched = 1 and y.group_no = g.group_no
union
select l.provider, l.payout_id from record_group g cross join ledger_row l
where g.is_touched = 1 and l.group_no = g.group_no and l.payout_id is not null
union
select n.provider, n.payout_id from record_group g cross join settled_net n
where g.is_touched = 1 and n.group_no = g.group_no
union
select l.provider, l.record_id from record_group g cross join ledger_row l
where g.is_touched = 1 and l.group_no = g.group_no and l.record_kind = 'payout' and l.record_id is not null
union
select s.provider, s.payout_id from record_group g cross join ledger_row l cross join stated_payout s
where g.is_touched = 1 and l.group_no = g.group_no and s.provider = l.provider and s.payout_id = l.source_id
