-- What several checks look at in the same way, as views on the derived tables: nothing is stored, nothing has to be filled.

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

-- Every refund of the comparable groups, as the orders record it (side 'order') and as the provider does (side 'provider'), and whether
-- the two sides agree. Where the configuration names no source of order refunds, an order of status refunded records one, of its tender
-- and under its own id; that status bears no date, so it says nothing at a moment after which the provider refunded something more.
--
-- Surest first, each refund once: named by the provider's refund id; the same amount on the same payment; the same amount in the group;
-- what then remains on both sides of a payment (of the group, where an order's refund does not say which payment) is compared in sum.
-- A refund that failed or is pending counts as present, but only where no succeeded one is left to compare with.
-- outcome: matched | differs (both sides have it, amounts differ beyond tolerance) | alone (the other side has nothing for it).
create view refund_match_at as
with stated as (
  select m.moment, r.refund_id, r.order_id, r.currency, r.amount_minor, r.refunded_at as happened_at, r.payment_reference, 0 as by_status
  from known k
  join moment m on k.is_asked = 1
  join order_refund r on r.refunded_at < m.instant
  where k.source = '' and k.subject = 'order_refunds'
  union all
  select m.moment, o.order_id, o.order_id, o.currency, o.tender_minor, o.placed_at, null, 1
  from known k
  join moment m on k.is_asked = 0
  join customer_order o on o.placed_at < m.instant and o.status = 'refunded'
  where k.source = '' and k.subject = 'order_refunds'
),
recorded as (
  select s.moment, p.group_id, s.refund_id, s.order_id, s.currency, s.amount_minor, s.happened_at, s.payment_reference, s.by_status
  from stated s
  join pair_at p on p.moment = s.moment and p.order_id = s.order_id and p.is_comparable = 1 and p.flow_key is not null
  group by s.moment, p.group_id, s.refund_id, s.order_id, s.currency, s.amount_minor, s.happened_at, s.payment_reference, s.by_status
),
provided as (
  select x.moment, p.group_id, x.refund_id, x.flow_key, x.status, x.currency, x.amount_minor, x.created_at
  from refund_at x
  join pair_at p on p.moment = x.moment and p.flow_key = x.flow_key and p.is_comparable = 1 and p.order_id is not null
  group by x.moment, p.group_id, x.refund_id, x.flow_key, x.status, x.currency, x.amount_minor, x.created_at
),
touched as (                              -- not a union: SQLite takes that for a single row and then scans what it joins
  select b.moment, b.group_id
  from (select moment, group_id from recorded union all select moment, group_id from provided) b
  group by b.moment, b.group_id
),
member as (                               -- the payments of those groups
  select g.moment, g.group_id, t.flow_key, t.provider, t.payment_id, t.intent_id, t.captured_at, t.is_covered
  from touched g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key and t.is_captured = 1
  group by g.moment, g.group_id, t.flow_key, t.provider, t.payment_id, t.intent_id, t.captured_at, t.is_covered
),
party as (                                -- what the payments of a group have in common
  select moment, group_id, min(provider) as provider, count(*) as payments, min(flow_key) as first_flow, min(is_covered) as is_covered,
    max(captured_at) as captured_at
  from member
  group by moment, group_id
),
referred as (                             -- the payment that an order's refund names by one of its identifiers
  select s.moment, s.group_id, s.refund_id, min(b.flow_key) as flow_key
  from recorded s
  join member b on b.moment = s.moment and b.group_id = s.group_id
  join payment_reference f on f.flow_key = b.flow_key and f.value = s.payment_reference
  group by s.moment, s.group_id, s.refund_id
),
later as (                                -- groups with a refund that the moment does not see yet
  select b.moment, b.group_id
  from member b
  join moment m on m.moment = b.moment
  join refund r on r.provider = b.provider and r.payment_id in (b.payment_id, b.intent_id) and r.created_at >= m.instant
    and r.is_expired_authorisation = 0
  group by b.moment, b.group_id
),
side as (
  select s.moment, s.group_id, 'order' as side, s.refund_id, s.order_id, x.refund_id as named,
    coalesce(x.flow_key, f.flow_key, case when y.payments = 1 then y.first_flow end) as flow_key,
    'succeeded' as status, s.currency, s.amount_minor,
    case when s.by_status = 1 then greatest_of(s.happened_at, coalesce(y.captured_at, s.happened_at)) else s.happened_at end as happened_at,
    y.provider, y.is_covered
  from recorded s
  join party y on y.moment = s.moment and y.group_id = s.group_id
  left join provided x on x.moment = s.moment and x.group_id = s.group_id and x.refund_id = s.payment_reference and x.currency = s.currency
  left join referred f on f.moment = s.moment and f.group_id = s.group_id and f.refund_id = s.refund_id
  left join later l on l.moment = s.moment and l.group_id = s.group_id
  where s.by_status = 0 or l.group_id is null
  union all
  select x.moment, x.group_id, 'provider', x.refund_id, '', case when n.payment_reference is null then null else x.refund_id end, x.flow_key,
    x.status, x.currency, x.amount_minor, x.created_at, y.provider, y.is_covered
  from provided x
  join party y on y.moment = x.moment and y.group_id = x.group_id
  left join (select distinct moment, group_id, payment_reference, currency from recorded) n
    on n.moment = x.moment and n.group_id = x.group_id and n.payment_reference = x.refund_id and n.currency = x.currency
),
named as (                                -- by name: what names each other agrees or differs, whatever the amounts
  select s.moment, s.group_id, s.side, s.refund_id, s.order_id, s.flow_key, s.status, s.currency, s.amount_minor, s.happened_at,
    s.provider, s.is_covered, coalesce(t.amount_minor, 0) as tolerance_minor,
    case s.status when 'succeeded' then 0 when 'pending' then 1 else 2 end as standing,
    case s.side when 'order' then s.amount_minor else 0 end as order_minor,
    case s.side when 'order' then 0 else s.amount_minor end as provider_minor,
    case
      when s.named is null then ''
      when abs(sum(case s.side when 'order' then s.amount_minor else -s.amount_minor end)
        over (partition by s.moment, s.group_id, s.currency, s.named)) <= coalesce(t.amount_minor, 0) then 'matched'
      else 'differs'
    end as outcome
  from side s
  left join tolerance t on t.currency = s.currency
),
same_payment as (                         -- the same amount on the same payment
  select n.moment, n.group_id, n.side, n.refund_id, n.order_id, n.flow_key, n.status, n.currency, n.amount_minor, n.happened_at,
    n.provider, n.is_covered, n.tolerance_minor, n.standing, n.order_minor, n.provider_minor,
    case
      when n.outcome <> '' or n.flow_key is null then n.outcome
      when row_number() over (partition by n.moment, n.group_id, n.currency, n.outcome, n.flow_key, n.amount_minor, n.side
          order by n.standing, n.happened_at, n.refund_id)
        <= sum(case when n.side = 'order' then 1 else 0 end)
          over (partition by n.moment, n.group_id, n.currency, n.outcome, n.flow_key, n.amount_minor)
        and row_number() over (partition by n.moment, n.group_id, n.currency, n.outcome, n.flow_key, n.amount_minor, n.side
          order by n.standing, n.happened_at, n.refund_id)
        <= sum(case when n.side = 'order' then 0 else 1 end)
          over (partition by n.moment, n.group_id, n.currency, n.outcome, n.flow_key, n.amount_minor) then 'matched'
      else ''
    end as outcome
  from named n
),
same_amount as (                          -- the same amount in the group
  select n.moment, n.group_id, n.side, n.refund_id, n.order_id, n.flow_key, n.status, n.currency, n.amount_minor, n.happened_at,
    n.provider, n.is_covered, n.tolerance_minor, n.order_minor, n.provider_minor,
    case
      when n.outcome <> '' then n.outcome
      when row_number() over (partition by n.moment, n.group_id, n.currency, n.outcome, n.amount_minor, n.side
          order by n.standing, n.happened_at, n.refund_id)
        <= sum(case when n.side = 'order' then 1 else 0 end)
          over (partition by n.moment, n.group_id, n.currency, n.outcome, n.amount_minor)
        and row_number() over (partition by n.moment, n.group_id, n.currency, n.outcome, n.amount_minor, n.side
          order by n.standing, n.happened_at, n.refund_id)
        <= sum(case when n.side = 'order' then 0 else 1 end)
          over (partition by n.moment, n.group_id, n.currency, n.outcome, n.amount_minor) then 'matched'
      else ''
    end as outcome
  from same_payment n
),
whole as (                                -- groups where what remains cannot be told apart by payment
  select distinct moment, group_id, currency from same_amount where outcome = '' and side = 'order' and flow_key is null
),
standing as (                             -- where a succeeded refund remains, only such are compared
  select a.moment, a.group_id, a.currency, case when w.group_id is null then a.flow_key else '' end as unit
  from same_amount a
  left join whole w on w.moment = a.moment and w.group_id = a.group_id and w.currency = a.currency
  where a.outcome = '' and a.side = 'provider' and a.status = 'succeeded'
  group by a.moment, a.group_id, a.currency, case when w.group_id is null then a.flow_key else '' end
),
remaining as (
  select a.moment, a.group_id, a.side, a.refund_id, a.order_id, a.flow_key, a.status, a.currency, a.amount_minor, a.happened_at,
    a.provider, a.is_covered, a.tolerance_minor, a.order_minor, a.provider_minor,
    case when w.group_id is null then a.flow_key else '' end as unit,
    case when a.outcome = '' and a.side = 'provider' and a.status <> 'succeeded' and g.unit is not null then 'alone' else a.outcome end
      as outcome
  from same_amount a
  left join whole w on w.moment = a.moment and w.group_id = a.group_id and w.currency = a.currency
  left join standing g on g.moment = a.moment and g.group_id = a.group_id and g.currency = a.currency
    and g.unit = case when w.group_id is null then a.flow_key else '' end
)
select r.moment, r.group_id, r.side, r.refund_id, r.order_id, r.flow_key, r.status, r.currency, r.amount_minor, r.happened_at,
  r.provider, r.is_covered,               -- of the group's payments; is_covered: 1 only if all are
  r.unit,                                 -- the payment whose refunds are compared in sum, '' for the whole group
  case
    when r.outcome <> '' then r.outcome
    when min(r.side) over (partition by r.moment, r.group_id, r.currency, r.unit, r.outcome)
      = max(r.side) over (partition by r.moment, r.group_id, r.currency, r.unit, r.outcome) then 'alone'
    when abs(sum(r.order_minor - r.provider_minor) over (partition by r.moment, r.group_id, r.currency, r.unit, r.outcome))
      <= r.tolerance_minor then 'matched'
    else 'differs'
  end as outcome
from remaining r;
