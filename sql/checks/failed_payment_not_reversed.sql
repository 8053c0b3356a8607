-- Payment {payment_id} failed after it was captured, and {actual} is still to be settled with {connected_account}:
-- {reversed} of {transferred} transferred was reversed, {returned} of {collected} commission was returned.
--
-- Why it matters: the customer's money was withdrawn, and its shares are still with the wrong parties.
-- What clears it: a reversal of the transfer and a refund of the application fee.
-- Suggested action: Reverse what the connected account still holds, and return the commission of the payment that
-- failed.
-- Severity: critical
-- Rests on: ledger transfers fees
-- Also reads: payments

-- Records that belong together are booked within seconds, also across midnight: one minute is allowed for it.
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'fees')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
failed as (
  select pa.moment, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.failed_at + 60 as failed_at,
    pa.currency, pa.transfer_currency, pa.transferred_minor, pa.reversed_minor, pa.fee_currency, pa.fee_collected_minor,
    pa.fee_returned_minor,
    case when pa.transfer_currency is null then 0 else pa.transferred_minor - pa.reversed_minor end as held_minor,
    case when pa.fee_currency is null then 0 else pa.fee_collected_minor - pa.fee_returned_minor end as kept_minor
  from payment_at pa
  join moment m on m.moment = pa.moment
  join reach r on r.provider = pa.provider
  where pa.failed_minor > 0 and pa.failed_at + 60 < m.instant and pa.failed_at + 60 <= r.known_until
    and (pa.transferred_minor > pa.reversed_minor or pa.fee_collected_minor > pa.fee_returned_minor)
),
netted as (                            -- what the connected account holds, less the commission that it paid for nothing
  select f.moment, f.flow_key, f.provider, f.account, f.payment_id, f.connected_account, f.failed_at, f.currency,
    f.transfer_currency,
    f.transferred_minor, f.reversed_minor, f.fee_currency, f.fee_collected_minor, f.fee_returned_minor,
    case when f.held_minor > 0 then f.transfer_currency else f.fee_currency end as open_currency,
    case when f.held_minor > 0 and f.transfer_currency = f.fee_currency then f.held_minor - f.kept_minor
      when f.held_minor > 0 then f.held_minor
      when f.kept_minor > 0 and not exists (
        select 1 from entry e
        where e.flow_key = f.flow_key and e.kind in ('application_fee', 'application_fee_refund')
          and e.currency <> f.fee_currency)
          then f.kept_minor
      else 0 end as net_minor
  from failed f
)
select t.moment, t.flow_key as subject, t.provider, t.account, coalesce(g.order_ids, '') as order_id, t.payment_id,
  '' as record_id,
  t.open_currency as currency, 0 as expected_minor, case when t.net_minor < 0 then - t.net_minor
    else t.net_minor end as actual_minor,
  t.failed_at as since, t.connected_account, t.transferred_minor,
    coalesce(t.transfer_currency, t.currency) as transferred_currency,
  t.reversed_minor, coalesce(t.transfer_currency, t.currency) as reversed_currency,
  t.fee_collected_minor as collected_minor, coalesce(t.fee_currency, t.currency) as collected_currency,
  t.fee_returned_minor as returned_minor, coalesce(t.fee_currency, t.currency) as returned_currency
from netted t
left join match_node n on n.node = 'p:' || t.flow_key
left join group_at g on g.moment = t.moment and g.group_id = n.group_id
where t.net_minor <> 0
order by t.moment, t.flow_key
