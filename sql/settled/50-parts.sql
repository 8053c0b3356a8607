-- What each group that has settled adds to cumulative sums: the terms of the proofs, and the openings of the connected
-- accounts.
select p.group_no, p.name, p.provider, p.account, p.connected_account, p.currency,
  cast(sum(p.amount_minor) as bigint) as amount_minor
from (
  select l.group_no, 'entries' as name, e.provider, e.account, '' as connected_account, e.currency,
    case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor
      else 0 end as amount_minor
  from entry e
  join ledger_row l on l.provider = e.provider and l.row_id = e.row_id
  union all
  select l.group_no, 'connected', e.provider, '', e.connected_account, e.currency,
    case when substr(e.to_party, 1, 10) = 'connected:' then e.amount_minor else - e.amount_minor end
  from entry e
  join ledger_row l on l.provider = e.provider and l.row_id = e.row_id
  where e.connected_account is not null and e.connected_account <> ''
  union all                              -- what the first statement of the account holds already
  select l.group_no, 'before_base', v.provider, v.account, '', v.currency, v.amount_minor
  from movement v
  join balance_base b on b.provider = v.provider and b.account = v.account and v.booked_at < b.at
  join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
    and (b.holds_late = 1 or l.first_landed_at <= b.pulled_at)
  where v.scope = 'platform'
  union all
  select group_no, 'before_base', provider, account, '', currency, - net_minor from change_since_base
  union all
  select l.group_no, 'reserved', v.provider, v.account, '', v.currency, v.amount_minor
  from movement v
  join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
  where v.scope = 'platform' and v.figure = 'reserves' and not exists (
    select 1
    from payout_row y
    left join payout p on p.provider = y.provider and p.payout_id = y.payout_id
    left join settlement_batch b on b.provider = y.provider and b.batch_id = y.payout_id
    where y.provider = v.provider and y.row_id = v.row_id
      and (p.is_itemised = 1 or p.payout_id is null and b.batch_id is not null))
  union all
  select r.group_no, 'rows', b.provider, b.account, '', b.currency, b.net_minor
  from booked_row b
  join ledger_row r on r.row_no = b.row_no
  union all
  select r.group_no, 'fees', b.provider, b.account, '', b.currency, b.fee_minor
  from booked_row b
  join ledger_row r on r.row_no = b.row_no
  union all
  select r.group_no, 'fee_lines', b.provider, b.account, '', b.currency, b.fee_sum_minor
  from booked_row b
  join ledger_row r on r.row_no = b.row_no
  union all
  select c.group_no, c.side, c.provider, c.account, '', c.currency,
    case c.side when 'tender' then - c.amount_minor else c.amount_minor end
  from control_item c
  union all
  select c.group_no, c.term, c.provider, c.account, '', c.currency, c.amount_minor
  from control_item c
  where c.term in ('within_tolerance', 'refunded_after_cancel')
) p
join settled_group s on s.group_no = p.group_no
group by p.group_no, p.name, p.provider, p.account, p.connected_account, p.currency
order by p.group_no, p.name, p.provider, p.account, p.connected_account, p.currency
