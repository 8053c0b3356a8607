-- Refunds and disputes at a moment: what several checks look at in the same way.

-- match (sql/matching): every refund of the comparable groups as either side has it, and whether the two sides agree
create table refund_match_at (
  moment bigint not null, group_id text collate "C" not null,
  side text collate "C" not null,                    -- order | provider
  refund_id text collate "C" not null,                -- the orders' id, or the provider's; an order whose status alone records a refund lends its own id
  order_id text collate "C" not null,                 -- '' on the provider's side
  flow_key text collate "C",                         -- the payment; null: an order's refund that does not say which of several
  provider text collate "C" not null,
  status text collate "C" not null,                   -- of the provider's refund; 'succeeded' on the orders' side
  currency text collate "C" not null, amount_minor bigint not null,
  happened_at bigint not null,             -- recorded by the orders, created by the provider
  is_covered bigint not null,              -- 1: every payment of the group is
  unit text collate "C" not null,                     -- the payment within which sums were compared, '' for the whole group
  outcome text collate "C" not null,                  -- matched | differs (the other side has it, with another amount) | alone (it has nothing for it)
  primary key (moment, side, provider, refund_id)
);

-- Every dispute as it stands at a moment, and the money that its ledger rows took and gave back by then (fees apart). The currency is that
-- of the rows, or the dispute's own while no money moved; a dispute whose rows have two currencies has two rows here.
-- A status bears no date, but the money given back does: a dispute that is won was open until then.
create view dispute_at as
with money as (
  select m.moment, e.provider, e.record_id, e.currency, min(e.account) as account, max(e.booked_at) as moved_at,
    cast(sum(case when e.from_party = 'platform' then e.amount_minor else 0 end) as bigint) as taken_minor,
    cast(sum(case when e.from_party = 'platform' then 0 else e.amount_minor end) as bigint) as returned_minor
  from entry e
  join moment m on e.booked_at < m.instant
  where e.kind in ('dispute', 'dispute_reversal')
  group by m.moment, e.provider, e.record_id, e.currency
),
settled as (
  select e.provider, e.record_id, min(e.booked_at) as settled_at
  from entry e
  where e.kind in ('dispute', 'dispute_reversal') and e.from_party <> 'platform'
  group by e.provider, e.record_id
)
select m.moment, d.provider, d.dispute_id, coalesce(i.latest_payment_id, d.payment_id, '') as payment_id,
  d.provider || ':' || coalesce(i.latest_payment_id, d.payment_id, d.dispute_id) as flow_key,     -- a dispute that names no payment stands for itself
  coalesce(p.account, y.account, '') as account,
  case when d.status = 'won' and w.settled_at >= m.instant then 'open' else d.status end as status, d.reason, d.created_at, d.respond_by,
  d.currency as asked_currency, d.amount_minor as asked_minor,
  coalesce(y.currency, d.currency) as currency, coalesce(y.taken_minor, 0) as taken_minor,
  coalesce(y.returned_minor, 0) as returned_minor,
  y.moved_at                              -- when its newest money row was booked; null: no money moved
from dispute d
join moment m on d.created_at < m.instant
left join intent i on i.provider = d.provider and i.intent_id = d.payment_id
left join payment p on p.provider = d.provider and p.payment_id = coalesce(i.latest_payment_id, d.payment_id)
left join money y on y.moment = m.moment and y.provider = d.provider and y.record_id = d.dispute_id
left join settled w on w.provider = d.provider and w.record_id = d.dispute_id;
