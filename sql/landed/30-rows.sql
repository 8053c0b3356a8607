-- New rows come in, known ones take their newest version, but for the date of a row that its provider dates anew. Of a
-- row that the file reports twice, the last word counts, and the first one says whether it is late. One that is
-- withdrawn only takes the place of a known one.
insert into ledger_row (
  row_no, provider, row_id, account, category, source_id, currency, amount_minor, fee_minor, net_minor, exchange_rate,
    booked_at, available_at, description,
  known_category, fee_sum_minor, payment_id, record_id, record_kind, connected_account, presentment_currency,
    presentment_minor, is_echo, row_name,
  payout_id, late_since, late_until, first_landed_at, landed_file, landed_line, group_no, changed_in)
select n.row_no, n.provider, n.row_id, n.account, n.category, n.source_id, n.currency, n.amount_minor, n.fee_minor,
  n.net_minor, n.exchange_rate,
  case n.is_redated when 1 then coalesce(e.booked_at, n.first_booked_at) else n.booked_at end, n.available_at,
    n.description, n.known_category, n.fee_sum_minor,
  n.payment_id, n.record_id, n.record_kind, n.connected_account, n.presentment_currency, n.presentment_minor, n.is_echo,
    n.row_name,
  n.payout_id, n.late_since, n.late_until, n.first_landed_at, n.landed_file, n.landed_line, n.group_no, n.landed_file
from (
  select r.row_no, r.provider, r.row_id, r.account, r.category, r.source_id, r.currency, r.amount_minor, r.fee_minor,
    r.net_minor, r.exchange_rate, r.booked_at,
    first_value(r.booked_at) over (partition by r.provider, r.row_id order by r.landed_line) as first_booked_at,
      r.available_at, r.description, r.known_category, r.fee_sum_minor, r.payment_id, r.record_id, r.record_kind,
      r.connected_account,
    r.presentment_currency, r.presentment_minor, r.is_echo, r.row_name, r.payout_id, r.is_redated, r.is_withdrawn,
      r.first_landed_at, r.landed_file, r.landed_line,
    r.group_no,
    first_value(r.late_since) over (partition by r.provider, r.row_id order by r.landed_line) as late_since,
    first_value(r.late_until) over (partition by r.provider, r.row_id order by r.landed_line) as late_until,
    row_number() over (partition by r.provider, r.row_id order by r.landed_line desc) as place
  from ledger_row_read r
) n
left join ledger_row e on n.is_redated = 1 and e.provider = n.provider and e.row_id = n.row_id
where n.place = 1 and (n.is_withdrawn = 0 or e.row_id is not null)
on conflict (provider, row_id) do update set
  account = excluded.account, category = excluded.category, source_id = excluded.source_id,
    currency = excluded.currency,
  amount_minor = excluded.amount_minor, fee_minor = excluded.fee_minor, net_minor = excluded.net_minor,
    exchange_rate = excluded.exchange_rate,
  booked_at = excluded.booked_at, available_at = excluded.available_at, description = excluded.description,
  known_category = excluded.known_category, fee_sum_minor = excluded.fee_sum_minor, payment_id = excluded.payment_id,
  record_id = excluded.record_id, record_kind = excluded.record_kind, connected_account = excluded.connected_account,
  presentment_currency = excluded.presentment_currency, presentment_minor = excluded.presentment_minor,
    is_echo = excluded.is_echo, row_name = excluded.row_name, payout_id = excluded.payout_id,
  landed_file = excluded.landed_file,
  landed_line = excluded.landed_line, group_no = excluded.group_no,
  changed_in = case when
    ledger_row.account is not distinct from excluded.account and ledger_row.category is not distinct
      from excluded.category
      and ledger_row.source_id is not distinct from excluded.source_id and ledger_row.currency is not distinct
        from excluded.currency
      and ledger_row.amount_minor is not distinct from excluded.amount_minor and ledger_row.fee_minor is not distinct
        from excluded.fee_minor
      and ledger_row.net_minor is not distinct from excluded.net_minor and ledger_row.exchange_rate is not distinct
        from excluded.exchange_rate
      and ledger_row.booked_at is not distinct from excluded.booked_at and ledger_row.available_at is not distinct
        from excluded.available_at
      and ledger_row.description is not distinct from excluded.description
        and ledger_row.known_category is not distinct from excluded.known_category
      and ledger_row.fee_sum_minor is not distinct from excluded.fee_sum_minor
        and ledger_row.payment_id is not distinct from excluded.payment_id
      and ledger_row.record_id is not distinct from excluded.record_id and ledger_row.record_kind is not distinct
        from excluded.record_kind
      and ledger_row.connected_account is not distinct from excluded.connected_account
      and ledger_row.presentment_currency is not distinct from excluded.presentment_currency
      and ledger_row.presentment_minor is not distinct from excluded.presentment_minor
        and ledger_row.is_echo is not distinct from excluded.is_echo
      and ledger_row.row_name is not distinct from excluded.row_name and ledger_row.payout_id is not distinct
        from excluded.payout_id
    then ledger_row.changed_in else excluded.changed_in end
