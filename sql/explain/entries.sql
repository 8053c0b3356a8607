-- The entries of a payment, or of a payout's or a record's own rows, in time order. $1: flow_key or '', $2: the
-- payout's or record's id or '', $3: its provider.
select e.booked_at, e.kind || case when e.fee_type is not null then ' (' || e.fee_type || ')' else '' end, e.entry_id,
  e.currency, e.amount_minor,
  e.from_party || ' -> ' || e.to_party || case when e.payout_id is not null then ', paid by ' || e.payout_id
    else '' end, f.path, l.landed_line
from entry e
join ledger_row l on l.provider = e.provider and l.row_id = e.row_id
left join landed_file f on f.file_id = l.landed_file
where e.flow_key = $1 or (e.provider = $3 and (e.record_id = $2 or e.row_id = $2 or e.row_name = $2))
order by e.booked_at, e.entry_id
