-- Payment {payment_id} authorised {expected} for order {order_id} ({order_status}) on {authorised}, and {actual} of it
-- is captured; it expires at {lapses}.
--
-- Why it matters: an authorisation that expires is money lost: the order is served, and the customer can no longer be
-- charged on it.
-- What clears it: the capture, or the authorisation being voided together with the order.
-- Suggested action: Operations: capture it at the provider now, or cancel the order and void the authorisation.
-- Severity: medium
-- Rests on: ledger payments
-- Also reads: orders
with side as (
  select p.moment, p.group_id, min(o.status) as first_status, max(o.status) as last_status,
    max(o.placed_at) as placed_at,
    min(o.seller_account) as first_account, max(o.seller_account) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join customer_order o on o.order_id = p.order_id
  where g.finding = 'authorised'
  group by p.moment, p.group_id
),
taken as (                               -- by captures with an id of their own, which name the authorisation
  select moment, provider, intent_id, cast(sum(captured_minor) as bigint) as captured_minor
  from payment_at
  where is_captured = 1 and intent_id is not null
  group by moment, provider, intent_id
),
waiting as (
  select t.moment, m.instant, t.flow_key, t.provider, t.account, t.payment_id, t.connected_account, t.created_at,
    g.group_id, g.order_ids,
    t.currency, coalesce(p.amount_minor, i.amount_minor, 0) as amount_minor,
    t.captured_minor + coalesce(c.captured_minor, 0) as captured_minor, p.capture_before, k.known_until,
    case
      when p.capture_before is null then t.created_at + y.capture_within
      else least_of(t.created_at + y.capture_within, p.capture_before - y.expiry_warning)
    end as due_at
  from group_at g
  join moment m on m.moment = g.moment
  join match_node n on n.group_id = g.group_id and substr(n.node, 1, 2) = 'p:'
  join payment_at t on t.moment = g.moment and t.flow_key = substr(n.node, 3)
    and (t.status = 'authorised' or t.open_minor > 0)
  left join payment p on p.provider = t.provider and p.payment_id = t.payment_id
  left join intent i on i.provider = t.provider and i.intent_id = t.intent_id
  left join taken c on c.moment = t.moment and c.provider = t.provider and c.intent_id = t.payment_id
  join policy y on y.provider = t.provider
  join known k on k.source = t.provider and k.subject = 'payments' and t.created_at >= k.covers_from
  where g.finding = 'authorised'
)
select w.moment, w.flow_key as subject, w.provider, w.account, w.order_ids as order_id, w.payment_id, '' as record_id,
  w.currency, w.amount_minor as expected_minor, w.captured_minor as actual_minor,
  greatest_of(greatest_of(w.due_at, w.created_at), s.placed_at) as since,
  coalesce(w.connected_account, case when s.first_account = s.last_account then s.first_account end,
    '') as connected_account,
  case when s.first_status = s.last_status then s.first_status
    else s.first_status || ' or ' || s.last_status end as order_status,
  w.created_at as authorised_at, w.capture_before as lapses_at
from waiting w
join side s on s.moment = w.moment and s.group_id = w.group_id
where greatest_of(greatest_of(w.due_at, w.created_at), s.placed_at) < w.instant
  and greatest_of(w.due_at, w.created_at) <= w.known_until
order by w.moment, w.flow_key
