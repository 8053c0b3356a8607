-- The provider charged {actual} for payment {payment_id}; the rate card says {expected} of {captured}, {difference} different.
--
-- Why it matters: over many payments a wrong rate is the largest loss that nobody notices.
-- What clears it: a corrected rate card; what the provider charged stays as it is.
-- Suggested action: Compare the contract with the rate card, and claim the difference from the provider.
-- Severity: medium
-- Rests on: ledger payments
with rated as (                        -- captures that a rate card covers
  select pa.moment, m.instant, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.connected_account, pa.settlement_currency,
    pa.settlement_captured_minor as captured_minor, pa.captured_at, y.provider_fee_minor as tolerance_minor,
    proportion(pa.settlement_captured_minor, c.percent_part, c.percent_whole) + c.fixed_minor as expected_minor
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
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.settlement_captured_minor > 0
    and not exists (select 1 from settled_net n where n.provider = pa.provider)  -- whose fees come with the settlement, in rows of their own
),
booked as (                            -- with the ledger rows of the capture, partial-capture reversals among them
  select distinct r.moment, r.flow_key, r.provider, r.account, r.payment_id, r.connected_account, r.settlement_currency, r.captured_minor,
    r.captured_at, r.tolerance_minor, r.expected_minor, e.row_id
  from rated r
  join entry e on e.flow_key = r.flow_key
  where e.kind = 'capture' and e.booked_at < r.instant
),
charged as (                           -- and what these rows were charged for processing
  select b.moment, b.flow_key, b.provider, b.account, b.payment_id, b.connected_account, b.settlement_currency, b.captured_minor,
    b.tolerance_minor, b.expected_minor, min(b.row_id) as row_id, greatest_of(b.captured_at, max(l.booked_at)) as since,
    max(case when l.fee_minor <> l.fee_sum_minor or l.amount_minor - l.fee_minor <> l.net_minor then 1 else 0 end) as is_broken,
    cast(sum(case when e.row_id is null then 0 when e.from_party = 'platform' then e.amount_minor
    else - e.amount_minor end) as bigint) as fee_minor
  from booked b
  join ledger_row l on l.provider = b.provider and l.row_id = b.row_id
  left join entry e on e.provider = b.provider and e.row_id = b.row_id and e.kind = 'fee' and e.fee_type = 'processing'
  group by b.moment, b.flow_key, b.provider, b.account, b.payment_id, b.connected_account, b.settlement_currency, b.captured_minor,
    b.captured_at, b.tolerance_minor, b.expected_minor
)
select c.moment, c.flow_key as subject, c.provider, c.account, coalesce(g.order_ids, '') as order_id, c.payment_id, c.row_id as record_id,
  c.settlement_currency as currency, c.expected_minor, c.fee_minor as actual_minor, c.since,
  coalesce(c.connected_account, '') as connected_account,
  c.captured_minor
from charged c
left join match_node n on n.node = 'p:' || c.flow_key
left join group_at g on g.moment = c.moment and g.group_id = n.group_id
where c.is_broken = 0
  and (c.fee_minor - c.expected_minor > c.tolerance_minor or c.expected_minor - c.fee_minor > c.tolerance_minor)
order by c.moment, c.flow_key
