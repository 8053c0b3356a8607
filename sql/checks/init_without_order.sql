-- The payment_init_hash {record_id}, started at {started}, {outcome} {actual}, and no order carries it.
--
-- Why it matters: a customer is charged for an order that was never made: it is neither delivered nor refunded.
-- What clears it: an order that carries the hash, or the authorisation being voided.
-- Suggested action: Operations: find out what the customer ordered and make the order, or refund or void the payment at
-- the provider.
-- Severity: high
-- Rests on: orders payment_inits
-- Also reads: payments

-- One row per hash. Where the provider reports nothing before its settlement, the front end does: an approval that is
-- not or no longer asked for is an authorisation. Where it reports authorisations, its silence says that there was
-- none.
with beside as (                        -- payments of a hash beside which no order stands
  select i.moment, i.init_hash, i.started_at, t.flow_key, t.provider, t.account, t.payment_id, t.currency,
    t.is_captured, t.connected_account,
    case when t.is_captured = 1 then g.captured_minor else coalesce(p.amount_minor, i.amount_minor,
      0) end as amount_minor,
    case when t.is_captured = 1 then g.since else greatest_of(coalesce(p.authorised_at, t.created_at),
      i.started_at + y.approval_within) end as since,
    case when t.is_captured = 1 and g.finding = 'init_without_order' then 1 when t.is_captured = 1 then 0
      else 1 end as speaks
  from payment_hash h
  join payment_at t on t.flow_key = h.flow_key
  join payment_init_at i on i.moment = t.moment and i.init_hash = h.init_hash
  join match_node n on n.node = 'p:' || t.flow_key
  join policy y on y.provider = t.provider
  left join payment p on p.provider = t.provider and p.payment_id = t.payment_id
  left join group_at g on g.moment = t.moment and g.group_id = n.group_id
  where (t.is_captured = 1 or t.status = 'authorised') and coalesce(g.orders, 0) = 0
),
spoken as (                            -- what was captured goes before what was only authorised
  select p.moment, p.init_hash, p.started_at, p.flow_key, p.provider, p.account, p.payment_id, p.currency,
    p.is_captured, p.amount_minor, p.since,
    p.connected_account, max(p.is_captured) over (partition by p.moment, p.init_hash) as any_captured
  from beside p
  where p.speaks = 1 and p.amount_minor > 0
),
held as (
  select moment, init_hash, started_at, is_captured, since, provider, account, currency, connected_account,
    row_number() over (partition by moment, init_hash order by payment_id) as place,
    group_concat(payment_id, ' ') over (partition by moment, init_hash order by payment_id
      rows between unbounded preceding and unbounded following) as payment_ids,
    cast(sum(amount_minor) over (partition by moment, init_hash) as bigint) as amount_minor
  from spoken
  where is_captured = any_captured
),
processor as (                         -- whether the hashes are paid where authorisations are not reported: at the
                                       -- providers that carry some, else at any
  select case
      when exists (select 1 from payment_hash) then (
        select count(*)
        from payment_hash h
        join payment p on p.flow_key = h.flow_key
        join policy y on y.provider = p.provider
        where y.capture_known_within > y.order_paid_within)
      else (select count(*) from policy y where y.capture_known_within > y.order_paid_within)
    end as silent
),
told as (                              -- the front end's word alone: a refused attempt has a reference at the provider,
                                       -- and no payment
  select i.moment, i.init_hash, i.started_at, i.currency, i.amount_minor,
    greatest_of(i.newest_at, i.started_at + w.approval_within) as since
  from payment_init_at i
  join processor s on s.silent > 0
  cross join (select coalesce(max(approval_within), 3600) as approval_within from policy) w
  left join (
    select c.moment, o.init_hash
    from order_hash o
    join (select s.order_id, m.moment from customer_order s join moment m on s.placed_at < m.instant) c
      on c.order_id = o.order_id
    group by c.moment, o.init_hash
  ) o on o.moment = i.moment and o.init_hash = i.init_hash
  left join reference r on r.value = i.init_hash
  left join payment_hash h on h.init_hash = i.init_hash
  where i.asks_approval = 0 and i.amount_minor > 0 and o.init_hash is null and r.owner_id is null and h.flow_key is null
),
found as (
  select moment, init_hash, provider, account, payment_ids, currency, amount_minor, since,
    coalesce(connected_account, '') as connected_account,
    started_at, case is_captured when 1 then 'captured' else 'authorised' end as outcome
  from held
  where place = 1
  union all
  select moment, init_hash, '', '', '', currency, amount_minor, since, '', started_at, 'authorised'
  from told
)
select f.moment, f.init_hash as subject, f.provider, f.account, '' as order_id, f.payment_ids as payment_id,
  f.init_hash as record_id, f.currency,
  0 as expected_minor, f.amount_minor as actual_minor, f.since, f.connected_account, f.started_at, f.outcome
from found f
join moment m on m.moment = f.moment
join known k on k.source = '' and k.subject = 'orders' and f.started_at >= k.covers_from and f.since <= k.known_until
where f.since < m.instant
order by f.moment, f.init_hash
