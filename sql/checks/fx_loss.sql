-- Refunds of payment {payment_id} cost the platform {actual}; {expected} was recovered or was its own share: the
-- exchange rate difference is {difference}.
--
-- Why it matters: a refund is converted at its own day's rate, a transfer reversal at the original rate; the platform
-- bears the difference.
-- What clears it: nothing; it is a cost to book.
-- Suggested action: Book the difference as a currency loss.
-- Severity: low
-- Rests on: ledger refunds transfers
-- Also reads: payments
with reach as (
  select source as provider, min(known_until) as known_until
  from known
  where subject in ('ledger', 'payments', 'refunds', 'transfers')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
converted as (                         -- refunds that stand, as the ledger booked them
  select f.moment, f.flow_key, count(*) as refunds, cast(sum(f.amount_minor) as bigint) as amount_minor,
    max(f.booked_at) as last_at,
    cast(sum(case when f.settlement_minor < 0 then - f.settlement_minor
      else f.settlement_minor end) as bigint) as settlement_minor,
    min(f.settlement_currency) as first_currency, max(f.settlement_currency) as last_currency,
    cast(sum(f.reversed_minor) as bigint) as linked_minor, min(y.proportional_minor) as proportional_minor
  from refund_at f
  join reach r on r.provider = f.provider
  join policy y on y.provider = f.provider
  where f.status = 'succeeded' and f.booked_at < r.known_until and f.settlement_currency <> f.currency
  group by f.moment, f.flow_key
),
linked as (
  select moment, flow_key, cast(sum(reversed_minor) as bigint) as reversed_minor
  from refund_at
  group by moment, flow_key
),
tally as (                             -- of payments whose charge, transfer and refund settled in one currency that is
                                       -- not the customer's
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.settlement_currency,
    pa.charged_minor, pa.settlement_captured_minor, pa.transferred_minor, c.amount_minor as refunded_minor,
      c.settlement_minor, c.last_at,
    proportion(c.proportional_minor, c.refunds, 1) as tolerance_minor, c.linked_minor + case when exists (
      select 1 from dispute d where d.provider = pa.provider and d.payment_id = pa.payment_id
        and d.created_at < m.instant
    ) then 0 else pa.reversed_minor - l.reversed_minor end as reversed_minor
  from converted c
  join moment m on m.moment = c.moment
  join linked l on l.moment = c.moment and l.flow_key = c.flow_key
  join payment_at pa on pa.moment = c.moment and pa.flow_key = c.flow_key
  where pa.charge_type in ('destination_application_fee', 'destination_transfer_amount', 'destination_full')
    and pa.is_captured = 1
    and pa.failed_minor = 0 and pa.charged_minor > 0 and pa.transfers > 0
      and pa.transfer_currency = pa.settlement_currency
    and pa.settlement_currency <> pa.currency and c.first_currency = pa.settlement_currency
      and c.last_currency = pa.settlement_currency
),
carried as (                           -- what a whole reversal brings back, and the share that was never transferred,
                                       -- at the capture's rate
  select t.moment, t.instant, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account,
    t.settlement_currency,
    t.settlement_minor, t.last_at,
    t.tolerance_minor, t.reversed_minor, case when t.refunded_minor >= t.charged_minor then 1 else 0 end as is_whole,
    proportion(t.transferred_minor, least_of(t.refunded_minor, t.charged_minor), t.charged_minor) as called_minor,
    proportion(t.settlement_captured_minor - t.transferred_minor, least_of(t.refunded_minor, t.charged_minor),
      t.charged_minor) as share_minor
  from tally t
),
lost as (
  select moment, instant, flow_key, provider, account, payment_id, connected_account, settlement_currency,
    settlement_minor, last_at,
    reversed_minor + share_minor as expected_minor
  from carried
  where reversed_minor > 0 and called_minor - reversed_minor <= case when is_whole = 1 then 0 else tolerance_minor end
    and settlement_minor - reversed_minor - share_minor > tolerance_minor
),
named as (                             -- with their refunds
  select s.moment, s.flow_key, s.provider, s.account, s.payment_id, s.connected_account, s.settlement_currency,
    s.settlement_minor,
    s.last_at,
    s.expected_minor,
    row_number() over (partition by s.moment, s.flow_key order by f.refund_id) as place,
    group_concat(f.refund_id, ' ') over (partition by s.moment, s.flow_key order by f.refund_id
      rows between unbounded preceding and unbounded following) as ids
  from lost s
  join refund_at f on f.moment = s.moment and f.flow_key = s.flow_key
  where f.status = 'succeeded' and f.booked_at is not null
)
select s.moment, s.flow_key as subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  s.ids as record_id,
  s.settlement_currency as currency, s.expected_minor, s.settlement_minor as actual_minor, s.last_at as since,
    s.connected_account
from named s
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where s.place = 1
order by s.moment, s.flow_key
