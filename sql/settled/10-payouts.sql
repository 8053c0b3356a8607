-- From when on nothing of a derived payout or batch changes: the end of the day (UTC) of its last fact. $1: the newest
-- landed file, $2: the range's end. Null where that is not known.
insert into kept_payout_life (provider, payout_id, landed_file, settled_at)
select t.provider, t.payout_id, $1,
  case when (max(t.at) / 86400 + 1) * 86400 <= least_of($2, coalesce(min(k.known_until), $2))
    then (max(t.at) / 86400 + 1) * 86400 end
from (
  select p.provider, p.payout_id,
    greatest_of(p.created_at,
      greatest_of(coalesce(o.booked_at, p.created_at), coalesce(l.booked_at, p.created_at))) as at
  from payout p
  left join ledger_row o on o.provider = p.provider and o.row_id = p.row_id
  left join ledger_row l on l.provider = p.provider and l.row_id = p.failure_row_id
  union all
  select y.provider, y.payout_id, l.booked_at
  from payout p
  join payout_row y on y.provider = p.provider and y.payout_id = p.payout_id
  join ledger_row l on l.provider = y.provider and l.row_id = y.row_id
  union all
  select s.provider, s.payout_id, s.happened_at from payout_step s
  union all
  select b.provider, b.batch_id, b.closed_at from settlement_batch b
  union all
  select v.provider, v.batch_id, 0 from batch_value v
) t
left join settled_payout x on x.provider = t.provider and x.payout_id = t.payout_id
left join (
  select source, min(known_until) as known_until from known where is_asked = 1 and source <> '' group by source
) k on k.source = t.provider
where x.payout_id is null
group by t.provider, t.payout_id
