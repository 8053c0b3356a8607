-- Payment {payment_id} captured {actual}, booked {booked}, and no order refers to it.
--
-- Why it matters: a customer paid for something that nobody will deliver, or an order was lost on its way to the order
-- system.
-- What clears it: an order that refers to the payment, by one of its references or by the provider's order reference.
-- Suggested action: Operations: find the order of this payment and deliver it, or refund the payment at the provider.
-- Severity: high
-- Rests on: orders
-- Also reads: payments

-- Silent where the provider's API does not know the payment either (orphan_settlement).
with known_group as (                    -- with a payment known by more than a settlement row that should repeat it
  select distinct n.group_id
  from group_at g
  join match_node n on n.group_id = g.group_id and substr(n.node, 1, 2) = 'p:'
  join payment_at t on t.moment = g.moment and t.flow_key = substr(n.node, 3)
  left join (
    select e.provider, e.record_id, min(e.is_echo) as is_echo
    from record_event e
    join (select provider from provider_trait where trait = 'settled_rows') s on s.provider = e.provider
    where e.subject = 'payment'
    group by e.provider, e.record_id
  ) o on o.provider = t.provider and o.record_id = t.payment_id
  where g.finding = 'missing_order' and coalesce(o.is_echo, 0) = 0
),
side as (
  select p.moment, p.group_id, max(t.captured_at) as captured_at, max(t.created_at) as created_at,
    min(t.currency) as currency,
    min(t.connected_account) as first_account, max(t.connected_account) as last_account
  from group_at g
  join pair_at p on p.moment = g.moment and p.group_id = g.group_id
  join payment_at t on t.moment = p.moment and t.flow_key = p.flow_key
  where g.finding = 'missing_order'
  group by p.moment, p.group_id
)
select g.moment, g.group_id as subject, g.provider, g.account, g.order_ids as order_id, g.payment_ids as payment_id,
  '' as record_id,
  coalesce(g.payment_currency, s.currency) as currency, g.tender_minor as expected_minor,
    g.captured_minor as actual_minor, g.since,
  case when s.first_account = s.last_account then s.first_account else '' end as connected_account,
  coalesce(s.captured_at, s.created_at) as booked_at
from group_at g
join side s on s.moment = g.moment and s.group_id = g.group_id
join known_group k on k.group_id = g.group_id
where g.finding = 'missing_order'
order by g.moment, g.group_id
