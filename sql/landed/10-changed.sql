-- A ledger row is immutable: one that comes back with other figures is kept as a finding, with what it was and what it
-- became. $1: when the landed file was observed, $2: the end of the range it was pulled for.
insert into record_change (provider, record_id, landed_file, account, record_kind, changed_at, range_to, fields, was,
  became, net_minor)
select n.provider, n.row_id, n.landed_file, n.account, 'ledger_row', $1, $2,
  substr(case when n.amount_minor <> e.amount_minor then ', amount' else '' end
    || case when n.fee_minor <> e.fee_minor then ', fee' else '' end
    || case when n.net_minor <> e.net_minor then ', net' else '' end
    || case when n.currency <> e.currency then ', currency' else '' end
    || case when n.category <> e.category then ', category' else '' end
    || case when n.booked_at <> e.booked_at and n.is_redated = 0 then ', created' else '' end
    || case when coalesce(n.available_at, 0) <> coalesce(e.available_at, 0) then ', available_on' else '' end
    || case when coalesce(n.source_id, '') <> coalesce(e.source_id, '') then ', source' else '' end, 3),
  cast(e.amount_minor as text) || '/' || cast(e.fee_minor as text) || '/' || cast(e.net_minor as text) || ' '
    || e.currency || ' ' || e.category,
  cast(n.amount_minor as text) || '/' || cast(n.fee_minor as text) || '/' || cast(n.net_minor as text) || ' '
    || n.currency || ' ' || n.category,
  case when n.currency = e.currency then n.net_minor - e.net_minor else 0 end
from ledger_row_read n
join ledger_row e on e.provider = n.provider and e.row_id = n.row_id
where e.landed_file <> n.landed_file                             -- reported twice by one file: its last word counts
  and (n.amount_minor <> e.amount_minor or n.fee_minor <> e.fee_minor or n.net_minor <> e.net_minor
    or n.currency <> e.currency
    or n.category <> e.category or n.booked_at <> e.booked_at and n.is_redated = 0
      or coalesce(n.available_at, 0) <> coalesce(e.available_at, 0)
      or coalesce(n.source_id, '') <> coalesce(e.source_id, ''))
on conflict (provider, record_id, landed_file) do nothing
