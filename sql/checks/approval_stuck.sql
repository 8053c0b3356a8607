-- Payment {payment_id} of {expected} was started at {started} and never concluded: no capture, no refusal, no cancellation.
--
-- Why it matters: the customer stopped in a challenge or redirect; it can still conclude later, unexpected, or be a sign of a broken checkout.
-- What clears it: the payment being captured, refused or cancelled.
-- Suggested action: Engineering look at the payment at the provider: cancel it, or find out why its approval never came back.
-- Severity: low
-- Rests on: payments

-- Silent where the order itself already speaks of the money that did not come: one cause, one row.
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
)
select s.moment, s.flow_key as subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id, '' as record_id,
  s.currency, s.amount_minor as expected_minor, 0 as actual_minor, s.due_at as since,
  coalesce(s.connected_account, '') as connected_account, s.created_at as started_at
from stuck s
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
where s.due_at < s.instant and s.due_at <= s.known_until
  and coalesce(g.finding, 'none') not in ('missing_payment', 'payment_failed_after_paid')
  and not (coalesce(g.finding, 'none') = 'amount_mismatch' and g.captured_minor < g.tender_minor)
order by s.moment, s.flow_key
