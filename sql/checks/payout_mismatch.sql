-- Payout {record_id} of {actual} lists {lines} ledger row(s) with a net total of {expected}: a difference of
-- {difference}.
--
-- Why it matters: what reaches the bank is not what the provider's own records explain.
-- What clears it: a corrected payout or corrected rows at the provider.
-- Suggested action: Finance: send the payout and the list of its rows to the provider's support and ask for the
-- difference.
-- Severity: critical
-- Rests on: payouts

-- Both sides carry the sign of the payout (positive towards the bank). Nothing is summed while the payouts' rows were
-- not read in full, nor for a payout before the coverage that has no known row. Where the payout's list adds up to its
-- amount and the ledger rows that it names, with what changed in them since the list was read, do not, the sum of these
-- rows is shown: their entries are in entries.csv. A settlement batch that does not add up is reported by
-- batch_out_of_balance alone.
with line as (
  select y.provider, y.payout_id, y.currency, count(*) as lines, cast(sum(y.net_minor) as bigint) as net_minor,
    cast(sum(y.net_minor + coalesce((
      select sum(c.net_minor) from record_change c
      where c.provider = s.provider and c.record_id = s.row_id and c.landed_file > s.landed_file),
        0)) as bigint) as ledger_minor
  from payout_row y
  left join payout_line s on s.provider = y.provider and s.payout_id = y.payout_id and s.row_id = y.row_id
  group by y.provider, y.payout_id, y.currency
),
broken as (
  select p.provider, p.account, p.payout_id, p.currency, p.amount_minor, p.created_at,
    case when coalesce(l.net_minor, 0) <> p.amount_minor then coalesce(l.net_minor, 0)
      else coalesce(l.ledger_minor, 0) end as net_minor,
    coalesce(l.lines, 0) as lines
  from payout p
  join known k on k.source = p.provider and k.subject = 'payouts' and k.is_complete = 1
    and p.created_at <= k.known_until
  left join line l on l.provider = p.provider and l.payout_id = p.payout_id and l.currency = p.currency
  left join settled_payout x on x.provider = p.provider and x.payout_id = p.payout_id
  where x.payout_id is null and p.is_itemised = 1 and (l.lines > 0 or p.created_at >= k.covers_from)
    and (coalesce(l.net_minor, 0) <> p.amount_minor or coalesce(l.ledger_minor, 0) <> p.amount_minor)
)
select m.moment, b.provider || ':' || b.payout_id as subject, b.provider, b.account, '' as order_id, '' as payment_id,
  b.payout_id as record_id, b.currency, b.net_minor as expected_minor, b.amount_minor as actual_minor,
    b.created_at as since,
  '' as connected_account, cast(b.lines as text) as lines
from broken b
join moment m on b.created_at < m.instant
left join finding f on f.type = 'batch_out_of_balance' and f.moment = m.moment and f.provider = b.provider
  and f.subject = b.provider || ':' || b.payout_id || ':' || b.currency
where f.type is null
order by m.moment, b.provider, b.payout_id
