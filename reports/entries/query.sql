-- Every ledger entry booked in the range: one movement from party to party, whose sums are the day's figures.
--
-- Amounts are positive, from the one party to the other. Per provider, account and currency the platform's entries add
-- up to the change of its balance there. $1 is the range's first instant, $2 its end. The members are grouped, though
-- each payment has one row of them: SQLite makes an index for what is grouped, and 55,000 entries take 0.7 processor
-- seconds rather than more than eight.
select
  e.entry_id, e.provider, e.account, coalesce(e.payment_id, '') as payment_id, coalesce(o.order_ids, '') as order_id,
  e.kind, e.from_party, e.to_party, e.currency, e.amount_minor,
  coalesce(e.presentment_currency, '') as presentment_currency, e.presentment_minor as presentment_amount_minor,
  coalesce(e.exchange_rate, '') as exchange_rate, e.booked_at, e.available_at, coalesce(e.payout_id, '') as payout_id,
  coalesce(e.row_name, e.row_id) as record_id,
  coalesce(e.fee_type, '') as fee_type, coalesce(e.connected_account, a.connected_accounts, '') as connected_account,
  case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then -e.amount_minor
    else 0 end as platform_amount_minor
from entry e
left join (
  select flow_key, min(connected_accounts) as connected_accounts from payment_members group by flow_key
) a on a.flow_key = e.flow_key
left join payment_orders o on o.flow_key = e.flow_key
where e.booked_at >= $1 and e.booked_at < $2
order by e.booked_at, e.provider, e.entry_id
