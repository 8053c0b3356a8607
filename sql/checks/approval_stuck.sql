-- Payment {payment} of {expected} was started at {started} and never completed: no capture, no refusal, no
-- cancellation.
--
-- Why it matters: the customer stopped in a challenge or redirect; it can still conclude later, unexpected, or be a
-- sign of a broken checkout.
-- What clears it: the payment being captured, refused or cancelled.
-- Suggested action: Engineering: look at the payment at the provider: cancel it, or find out why its approval was never
-- reported.
-- Severity: low
-- Rests on: payments payment_inits

-- Not raised where a discrepancy of the order already reports the missing money: one cause, one row.
with stuck as (
  select t.moment, m.instant, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account, t.created_at,
    t.created_at + y.approval_within as due_at, k.known_until, t.currency,
    coalesce(p.amount_minor, i.amount_minor, 0) as amount_minor
  from payment_at t
  join moment m on m.moment = t.moment
  join policy y on y.provider = t.provider
  join known k on k.source = t.provider and k.subject = 'payments' and t.created_at >= k.covers_from
  left join payment p on p.provider = t.provider and p.payment_id = t.payment_id
  left join intent i on i.provider = t.provider and i.intent_id = t.intent_id
  where t.status = 'started'
),
begun as (                             -- started at the ordering front end, and no provider reports it
  select i.moment, i.init_hash, i.currency, coalesce(i.amount_minor, 0) as amount_minor, i.started_at,
    i.started_at + w.approval_within as due_at
  from payment_init_at i
  join moment m on m.moment = i.moment
  cross join (select coalesce(max(approval_within), 3600) as approval_within from policy) w
  join known k on k.source = '' and k.subject = 'payment_inits' and i.started_at >= k.covers_from
  left join (
    select c.moment, o.init_hash
    from order_hash o
    join (select s.order_id, b.moment from customer_order s join moment b on s.placed_at < b.instant) c
      on c.order_id = o.order_id
    group by c.moment, o.init_hash
  ) o on o.moment = i.moment and o.init_hash = i.init_hash
  where i.asks_approval = 1 and i.started_at + w.approval_within < m.instant
    and i.started_at + w.approval_within <= k.known_until
    and o.init_hash is null
    and not exists (
      select 1
      from reference r
      left join payment p on p.provider = r.provider and p.payment_id = r.owner_id
      where r.value = i.init_hash and (p.payment_id is null or p.created_at < m.instant))
)
select s.moment, s.flow_key as subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  '' as record_id,
  s.currency, s.amount_minor as expected_minor, 0 as actual_minor, s.due_at as since,
  coalesce(s.connected_account, '') as connected_account, s.created_at as started_at, s.payment_id as payment
from stuck s
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where s.due_at < s.instant and s.due_at <= s.known_until
  and coalesce(g.finding, 'none') not in ('missing_payment', 'payment_failed_after_paid')
  and not (coalesce(g.finding, 'none') = 'amount_mismatch' and g.captured_minor < g.tender_minor)
union all
select b.moment, 'init:' || b.init_hash, '', '', '', '', b.init_hash, b.currency, b.amount_minor, 0, b.due_at, '',
  b.started_at, b.init_hash
from begun b
order by moment, subject
