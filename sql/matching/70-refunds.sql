-- Every refund of the comparable groups, as the orders record it and as the provider does, and whether the two sides agree.
-- Where the configuration names no source of order refunds, an order of status refunded records one, of its tender and under its own id;
-- that status bears no date, so it says nothing at a moment after which the provider refunded something more.
--
-- Surest first, each refund once: named by the provider's refund id; the same amount on the same payment; the same amount in the group; what
-- then remains on both sides of a payment (of the group, where an order's refund does not say which payment) is compared in sum.
-- A refund that failed or is pending counts as present, but only where no succeeded one is left to compare with.
insert into refund_match_at (
  moment, group_id, side, refund_id, order_id, flow_key, provider, status, currency, amount_minor, happened_at, is_covered, unit, outcome)
with side as (                            -- joined to tables by their keys only, then gathered: no join here depends on a guess of how many
  select m.moment, p.group_id, 'order' as side, r.refund_id, r.order_id, min(x.refund_id) as called,
    coalesce(min(x.flow_key), min(f.flow_key), case when count(distinct t.flow_key) = 1 then min(t.flow_key) end) as flow_key,
    'succeeded' as status, r.currency, r.amount_minor, r.refunded_at as happened_at, coalesce(min(x.provider), min(t.provider)) as provider,
    min(t.is_covered) as is_covered
  from known k
  join moment m on k.is_asked = 1
  join order_refund r on r.refunded_at < m.instant
  join pair_at p on p.moment = m.moment and p.order_id = r.order_id and p.is_comparable = 1 and p.flow_key is not null
  join pair_at q on q.moment = p.moment and q.group_id = p.group_id
  join payment_at t on t.moment = q.moment and t.flow_key = q.flow_key and t.is_captured = 1
  left join refund_at x on x.moment = t.moment and x.provider = t.provider and x.refund_id = r.payment_reference and x.flow_key = t.flow_key
    and x.currency = r.currency           -- the refund that it names
  left join payment_reference f on f.flow_key = t.flow_key and f.value = r.payment_reference        -- the payment that it names
  where k.source = '' and k.subject = 'order_refunds'
  group by m.moment, p.group_id, r.refund_id, r.order_id, r.currency, r.amount_minor, r.refunded_at
  union all
  select m.moment, p.group_id, 'order', o.order_id, o.order_id, null, case when count(distinct t.flow_key) = 1 then min(t.flow_key) end,
    'succeeded', o.currency, o.tender_minor, greatest_of(o.placed_at, max(t.captured_at)), min(t.provider), min(t.is_covered)
  from known k
  join moment m on k.is_asked = 0
  join customer_order o on o.placed_at < m.instant and o.status = 'refunded'
  join pair_at p on p.moment = m.moment and p.order_id = o.order_id and p.is_comparable = 1 and p.flow_key is not null
  join pair_at q on q.moment = p.moment and q.group_id = p.group_id
  join payment_at t on t.moment = q.moment and t.flow_key = q.flow_key and t.is_captured = 1
  left join refund r on r.provider = t.provider and r.payment_id = t.payment_id and r.created_at >= m.instant
  left join refund i on i.provider = t.provider and i.payment_id = t.intent_id and i.created_at >= m.instant
  where k.source = '' and k.subject = 'order_refunds'
  group by m.moment, p.group_id, o.order_id, o.currency, o.tender_minor, o.placed_at
  having count(r.refund_id) = 0 and count(i.refund_id) = 0
  union all
  select x.moment, p.group_id, 'provider', x.refund_id, '', max(case when o.refund_id is not null then x.refund_id end), x.flow_key, x.status,
    x.currency, x.amount_minor, x.created_at, x.provider, min(t.is_covered)
  from known k
  join moment m on k.source = '' and k.subject = 'order_refunds'
  join refund_at x on x.moment = m.moment
  join pair_at p on p.moment = x.moment and p.flow_key = x.flow_key and p.is_comparable = 1 and p.order_id is not null
  join pair_at q on q.moment = p.moment and q.group_id = p.group_id
  join payment_at t on t.moment = q.moment and t.flow_key = q.flow_key and t.is_captured = 1
  left join order_refund o on o.order_id = q.order_id and o.payment_reference = x.refund_id and o.currency = x.currency
    and o.refunded_at < m.instant and k.is_asked = 1
  group by x.moment, p.group_id, x.refund_id, x.flow_key, x.status, x.currency, x.amount_minor, x.created_at, x.provider
), weighed as (
  select s.moment, s.group_id, s.side, s.refund_id, s.order_id, s.called, s.flow_key, s.status, s.currency, s.amount_minor, s.happened_at,
    s.provider, s.is_covered, coalesce(t.amount_minor, 0) as tolerance_minor,
    case s.status when 'succeeded' then 0 when 'pending' then 1 else 2 end as standing,
    case s.side when 'order' then s.amount_minor else -s.amount_minor end as signed_minor,
    case s.side when 'order' then 1 else 0 end as is_order
  from side s
  left join tolerance t on t.currency = s.currency
), by_name as (                           -- by name, whatever the amounts; '' is undecided
  select w.moment, w.group_id, w.side, w.refund_id, w.order_id, w.flow_key, w.status, w.currency, w.amount_minor, w.happened_at, w.provider,
    w.is_covered, w.tolerance_minor, w.standing, w.signed_minor, w.is_order,
    case
      when w.called is null then ''
      when abs(sum(w.signed_minor) over (partition by w.moment, w.group_id, w.currency, w.called)) <= w.tolerance_minor then 'matched'
      else 'differs'
    end as outcome
  from weighed w
), counted_by_payment as (
  select b.moment, b.group_id, b.side, b.refund_id, b.order_id, b.flow_key, b.status, b.currency, b.amount_minor, b.happened_at, b.provider,
    b.is_covered, b.tolerance_minor, b.standing, b.signed_minor, b.is_order, b.outcome,
    row_number() over (partition by b.moment, b.group_id, b.currency, b.outcome, b.flow_key, b.amount_minor, b.side
      order by b.standing, b.happened_at, b.refund_id) as place,
    sum(b.is_order) over same as orders, sum(1 - b.is_order) over same as others
  from by_name b
  window same as (partition by b.moment, b.group_id, b.currency, b.outcome, b.flow_key, b.amount_minor)
), by_payment as (                        -- the same amount on the same payment: the first of one side with the first of the other
  select c.moment, c.group_id, c.side, c.refund_id, c.order_id, c.flow_key, c.status, c.currency, c.amount_minor, c.happened_at, c.provider,
    c.is_covered, c.tolerance_minor, c.standing, c.signed_minor, c.is_order,
    case when c.outcome = '' and c.flow_key is not null and c.place <= c.orders and c.place <= c.others then 'matched' else c.outcome end
      as outcome
  from counted_by_payment c
), counted_by_group as (
  select b.moment, b.group_id, b.side, b.refund_id, b.order_id, b.flow_key, b.status, b.currency, b.amount_minor, b.happened_at, b.provider,
    b.is_covered, b.tolerance_minor, b.signed_minor, b.is_order,
    row_number() over (partition by b.moment, b.group_id, b.currency, b.amount_minor, b.side
      order by b.standing, b.happened_at, b.refund_id) as place,
    sum(b.is_order) over same as orders, sum(1 - b.is_order) over same as others
  from by_payment b
  where b.outcome = ''
  window same as (partition by b.moment, b.group_id, b.currency, b.amount_minor)
), by_group as (                          -- the same amount in the group; and whether the rest can be told apart by payment
  select c.moment, c.group_id, c.side, c.refund_id, c.order_id, c.flow_key, c.status, c.currency, c.amount_minor, c.happened_at, c.provider,
    c.is_covered, c.tolerance_minor, c.signed_minor, c.is_order,
    case when c.place <= c.orders and c.place <= c.others then 'matched' else '' end as outcome,
    max(case when c.flow_key is null and not (c.place <= c.orders and c.place <= c.others) then 1 else 0 end)
      over (partition by c.moment, c.group_id, c.currency) as is_whole
  from counted_by_group c
), remaining as (                         -- where a succeeded refund remains, only such are compared
  select b.moment, b.group_id, b.side, b.refund_id, b.order_id, b.flow_key, b.status, b.currency, b.amount_minor, b.happened_at, b.provider,
    b.is_covered, b.tolerance_minor, b.signed_minor, b.is_order,
    case when b.is_whole = 1 then '' else b.flow_key end as unit,
    case
      when b.is_order = 1 or b.status = 'succeeded' then 1
      when max(case when b.is_order = 0 and b.status = 'succeeded' then 1 else 0 end)
        over (partition by b.moment, b.group_id, b.currency, case when b.is_whole = 1 then '' else b.flow_key end) = 1 then 0
      else 1
    end as is_compared
  from by_group b
  where b.outcome = ''
), by_sum as (
  select r.moment, r.group_id, r.side, r.refund_id, r.order_id, r.flow_key, r.provider, r.status, r.currency, r.amount_minor, r.happened_at,
    r.is_covered, r.unit,
    case
      when r.is_compared = 0 or min(r.is_order) over same = max(r.is_order) over same then 'alone'
      when abs(sum(r.signed_minor) over same) <= r.tolerance_minor then 'matched'
      else 'differs'
    end as outcome
  from remaining r
  window same as (partition by r.moment, r.group_id, r.currency, r.unit, r.is_compared)
)
select b.moment, b.group_id, b.side, b.refund_id, b.order_id, b.flow_key, b.provider, b.status, b.currency, b.amount_minor, b.happened_at,
  b.is_covered, coalesce(b.flow_key, ''), b.outcome
from by_payment b
where b.outcome <> ''
union all
select b.moment, b.group_id, b.side, b.refund_id, b.order_id, b.flow_key, b.provider, b.status, b.currency, b.amount_minor, b.happened_at,
  b.is_covered, coalesce(b.flow_key, ''), b.outcome
from by_group b
where b.outcome <> ''
union all
select s.moment, s.group_id, s.side, s.refund_id, s.order_id, s.flow_key, s.provider, s.status, s.currency, s.amount_minor, s.happened_at,
  s.is_covered, s.unit, s.outcome
from by_sum s
