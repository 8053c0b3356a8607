-- The provider charged {actual} for payment {payment_id}; the rate card gives {expected} on {captured}: a deviation of
-- {difference}.
--
-- Why it matters: over many payments a wrong rate is a large loss that goes unnoticed.
-- What clears it: a corrected rate card; what the provider charged does not change.
-- Suggested action: Compare the contract with the rate card, and claim the difference from the provider.
-- Severity: medium
-- Rests on: ledger
-- Also reads: payments
with rated as (                        -- captures that a rate card covers
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account,
    pa.settlement_currency,
    pa.settlement_captured_minor as captured_minor, pa.captured_at, coalesce(z.step_minor, 1) as step_minor,
    proportion(y.provider_fee_minor, coalesce(z.step_minor, 1), 1) as tolerance_minor,
    proportion(pa.settlement_captured_minor, c.percent_part, c.percent_whole) as share_minor, c.fixed_minor
  from payment_at pa
  join moment m on m.moment = pa.moment
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join rate_card c on c.provider = pa.provider and c.currency = pa.settlement_currency
    and pa.captured_at >= c.from_at and pa.captured_at < c.until_at
    and c.method = case when exists (   -- a card without a method holds for all that have none of their own
      select 1 from rate_card o
      where o.provider = pa.provider and o.currency = pa.settlement_currency and o.method = p.method and o.method <> ''
        and pa.captured_at >= o.from_at and pa.captured_at < o.until_at
    ) then p.method else '' end
  join policy y on y.provider = pa.provider
  left join amount_step z on z.provider = pa.provider and z.currency = pa.settlement_currency
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.settlement_captured_minor > 0
),
settled as (                           -- captures whose fee is in a row of its own, which comes with the settlement
  select n.provider, cast(coalesce(x.echoes_row_id, n.row_id) as text) as row_id, n.fee_row_id, n.settled_at
  from settled_net n
  left join row_echo x on x.provider = n.provider and x.row_id = n.row_id
),
settled_provider as (
  select t.provider
  from provider_trait t
  where t.trait = 'settled_rows'
),
api_capture as (                       -- reported by an API that knows no fees, until the settlement does
  select e.provider, e.record_id as payment_id
  from record_event e
  where e.subject = 'payment' and e.state = 'captured' and e.feed = 'api'
  group by e.provider, e.record_id
),
booked as (                            -- with the ledger rows of the capture, partial-capture reversals among them
  select distinct r.moment, r.flow_key, r.provider, r.account, r.payment_id, r.connected_account, r.settlement_currency,
    r.captured_minor,
    r.captured_at, r.step_minor, r.tolerance_minor, r.share_minor,
      case when e.to_party = 'platform' then r.fixed_minor else 0 end as fixed_minor, e.row_id,
    case when s.provider is null then e.row_id else s.fee_row_id end as fee_row_id,
    case
      when s.settled_at < r.instant then 1
      when s.provider is not null or p.provider is not null then 0
      when a.payment_id is not null and f.provider is null then 0
      else 1
    end as is_charged
  from rated r
  join entry e on e.flow_key = r.flow_key
  left join settled s on s.provider = e.provider and s.row_id = e.row_id
  left join settled_provider p on p.provider = e.provider
  left join api_capture a on a.provider = r.provider and a.payment_id = r.payment_id
  left join entry f on f.provider = e.provider and f.row_id = e.row_id and f.kind = 'fee'
  where e.kind = 'capture' and e.booked_at < r.instant
),
agreed as (                            -- the fixed part falls on each capture of a payment that was captured in parts
  select b.moment, b.flow_key,
    proportion(proportion(min(b.share_minor) + cast(sum(b.fixed_minor) as bigint), 1, min(b.step_minor)),
      min(b.step_minor), 1) as expected_minor
  from booked b
  group by b.moment, b.flow_key
),
charged as (                           -- and what these rows were charged for processing
  select b.moment, b.flow_key, b.provider, b.account, b.payment_id, b.connected_account, b.settlement_currency,
    b.captured_minor,
    b.tolerance_minor, a.expected_minor, min(b.row_id) as row_id, greatest_of(b.captured_at, max(l.booked_at)) as since,
    max(case when l.fee_minor <> l.fee_sum_minor or l.amount_minor - l.fee_minor <> l.net_minor then 1
      else 0 end) as is_broken,
    cast(sum(case when e.row_id is null then 0 when e.from_party = 'platform' then e.amount_minor
    else - e.amount_minor end) as bigint) as fee_minor, min(b.is_charged) as is_charged
  from booked b
  join agreed a on a.moment = b.moment and a.flow_key = b.flow_key
  join ledger_row l on l.provider = b.provider and l.row_id = coalesce(b.fee_row_id, b.row_id)
  left join entry e on e.provider = b.provider and e.row_id = b.fee_row_id and e.kind = 'fee'
    and e.fee_type = 'processing'
  group by b.moment, b.flow_key, b.provider, b.account, b.payment_id, b.connected_account, b.settlement_currency,
    b.captured_minor,
    b.captured_at, b.tolerance_minor, a.expected_minor
)
select c.moment, c.flow_key as subject, c.provider, c.account, coalesce(g.order_ids, '') as order_id, c.payment_id,
  c.row_id as record_id,
  c.settlement_currency as currency, c.expected_minor, c.fee_minor as actual_minor, c.since,
  coalesce(c.connected_account, '') as connected_account,
  c.captured_minor
from charged c
left join match_node n on n.node = 'p:' || c.flow_key
left join group_at g on g.moment = c.moment and g.group_id = n.group_id
where c.is_broken = 0 and c.is_charged = 1
  and (c.fee_minor - c.expected_minor > c.tolerance_minor or c.expected_minor - c.fee_minor > c.tolerance_minor)
order by c.moment, c.flow_key
