-- Proof 5, the control total: what the provider captured less what the orders were to bring is the sum of the discrepancies listed, what is pending,
-- what lies within tolerance, and a residual that is 0. Cumulative to the range's end, per provider account and presentment currency.
--
-- Captures are summed from the entries and tenders from the orders; the terms from the findings as they are published. So a capture that no payment
-- carries, an order in no group, or a check that was silent or wrong leaves a residual. A group of cancelled orders whose money went
-- back owes nothing and has no finding: its captures are a term of their own (refunded_after_cancel).
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds)
with captured as (
  select e.provider, e.account, e.flow_key, e.presentment_currency as currency,
    cast(sum(case when e.to_party = 'platform' then e.presentment_minor else - e.presentment_minor end) as bigint) as amount_minor
  from entry e
  join moment m on m.moment = 1 and e.booked_at < m.instant
  where e.kind in ('capture', 'charge_failure') and e.flow_key is not null
  group by e.provider, e.account, e.flow_key, e.presentment_currency
  union all                            -- what a webhook or an API has confirmed, and no money row has booked yet
  select c.provider, p.account, c.flow_key, c.currency, cast(sum(case c.is_failure when 0 then c.amount_minor else - c.amount_minor end) as bigint)
  from payment_capture c
  join moment m on m.moment = 1 and c.confirmed_at < m.instant
  join payment p on p.provider = c.provider and p.payment_id = c.payment_id
  left join entry e on e.flow_key = c.flow_key and e.record_id = c.capture_id and e.booked_at < m.instant
    and e.kind = case c.is_failure when 0 then 'capture' else 'charge_failure' end
  where e.entry_id is null
  group by c.provider, p.account, c.flow_key, c.currency
  union all                            -- what failed was captured, told or not
  select c.provider, p.account, c.flow_key, c.currency, cast(sum(c.amount_minor) as bigint)
  from payment_capture c
  join moment m on m.moment = 1 and c.confirmed_at < m.instant
  join payment p on p.provider = c.provider and p.payment_id = c.payment_id
  where c.is_alone = 1
  group by c.provider, p.account, c.flow_key, c.currency
),
standing as (                          -- how a group stands decides which term carries its difference
  select g.group_id, g.provider, g.account, g.finding,
    case
      when g.match_status = 'pending' then 'pending'
      when g.finding <> 'none' and f.type is null and a.type is null and i.gaps > 0 then 'pending'
      when g.finding <> 'none' then g.finding
      when g.orders > 0 and o.live = 0 and o.pending > 0 then 'pending'
      when g.orders > 0 and o.live = 0 then 'refunded_after_cancel'
      else 'within_tolerance'
    end as term
  from group_at g
  left join (
    select n.group_id, sum(case when c.status in ('pending', 'cancelled') then 0 else 1 end) as live,
      sum(case when c.status = 'pending' then 1 else 0 end) as pending
    from customer_order c
    join moment m on m.moment = 1 and c.placed_at < m.instant
    join match_node n on n.node = 'o:' || c.order_id
    group by n.group_id
  ) o on o.group_id = g.group_id
  left join finding f on f.type = g.finding and f.moment = 1 and f.subject = g.group_id
  left join (
    select n.group_id, min(b.init_hash) as init_hash
    from payment_hash b
    join match_node n on n.node = 'p:' || b.flow_key
    group by n.group_id
  ) h on g.finding = 'init_without_order' and h.group_id = g.group_id
  left join finding a on a.type = g.finding and a.moment = 1 and a.subject = h.init_hash
  cross join (                         -- a finding that rests on a source that was not read in full is withheld, and pending
    select cast(count(*) as bigint) as gaps from known where is_complete = 0
  ) i
  where g.moment = 1
),
item as (                              -- a capture whose payment was not read, or its part given back, is pending while those are not known that far
  select 'captured' as side, coalesce(s.provider, c.provider) as provider, coalesce(s.account, c.account) as account, c.currency,
    s.group_id,
    case when s.group_id is null and coalesce(k.is_complete, 0) = 0 then 'pending' else s.term end as term, c.amount_minor
  from captured c
  left join match_node n on n.node = 'p:' || c.flow_key
  left join standing s on s.group_id = n.group_id
  left join (
    select source, min(is_complete) as is_complete from known where subject in ('payments', 'refunds') group by source
  ) k on k.source = c.provider
  union all
  select 'tender', coalesce(s.provider, c.provider, ''), coalesce(s.account, ''), c.currency, s.group_id, s.term, - c.tender_minor
  from customer_order c
  join moment m on m.moment = 1 and c.placed_at < m.instant
  left join match_node n on n.node = 'o:' || c.order_id
  left join standing s on s.group_id = n.group_id
  where c.status not in ('pending', 'cancelled')
),
net as (                               -- per group and currency, for the terms that no finding carries
  select provider, account, currency, group_id, term, cast(sum(amount_minor) as bigint) as amount_minor
  from item
  where term in ('pending', 'within_tolerance', 'refunded_after_cancel', 'currency_mismatch')
  group by provider, account, currency, group_id, term
),
kind (ordinal, label) as (
  select 1, 'captured' union all select 2, 'tender' union all select 3, 'missing_payment' union all select 4, 'missing_order'
  union all select 5, 'amount_mismatch' union all select 6, 'currency_mismatch' union all select 7, 'duplicate_payment'
  union all select 8, 'captured_after_cancel' union all select 9, 'ambiguous_match' union all select 10, 'payment_failed_after_paid'
  union all select 11, 'init_without_order' union all select 12, 'refunded_after_cancel' union all select 13, 'pending'
  union all select 14, 'within_tolerance' union all select 15, 'duplicate_init_hash' union all select 16, 'orphan_settlement'
),
part as (                              -- currency_mismatch has two sides, each in its own currency
  select side as label, provider, account, currency, case side when 'tender' then - amount_minor else amount_minor end as amount_minor
  from item
  union all
  select f.type, f.provider, f.account, f.currency, coalesce(f.actual_minor, 0) - coalesce(f.expected_minor, 0)
  from finding f
  where f.moment = 1 and f.type in ('missing_payment', 'missing_order', 'amount_mismatch', 'duplicate_payment', 'captured_after_cancel',
    'ambiguous_match', 'payment_failed_after_paid', 'duplicate_init_hash')
  union all                            -- of settlement rows that the API does not know those that no order claims
  select o.type, o.provider, o.account, o.payment_currency, o.captured_minor
  from (                               -- a group once, however many of its payments are unknown
    select distinct f.type, g.group_id, g.provider, g.account, g.payment_currency, g.captured_minor
    from finding f
    join match_node n on n.node = 'p:' || f.subject
    join group_at g on g.moment = 1 and g.group_id = n.group_id and g.finding = 'missing_order'
    where f.moment = 1 and f.type = 'orphan_settlement'
  ) o
  union all                            -- of started payments only those that were captured
  select f.type, f.provider, f.account, f.currency, coalesce(f.actual_minor, 0) - coalesce(f.expected_minor, 0)
  from finding f
  where f.moment = 1 and f.type = 'init_without_order' and exists (
    select 1
    from payment_hash h
    join match_node n on n.node = 'p:' || h.flow_key
    join group_at g on g.moment = 1 and g.group_id = n.group_id and g.finding = 'init_without_order'
    where h.init_hash = f.subject)
  union all
  select 'currency_mismatch', n.provider, n.account, n.currency, n.amount_minor
  from net n
  join finding f on f.type = 'currency_mismatch' and f.moment = 1 and f.subject = n.group_id
  where n.term = 'currency_mismatch'
  union all
  select n.term, n.provider, n.account, n.currency, n.amount_minor
  from net n
  left join tolerance t on t.currency = n.currency
  where n.term in ('pending', 'refunded_after_cancel')
    or n.term = 'within_tolerance' and abs(n.amount_minor) <= coalesce(t.amount_minor, 0)
),
total as (
  select label, provider, account, currency, cast(sum(amount_minor) as bigint) as amount_minor
  from part
  group by label, provider, account, currency
),
account as (
  select provider, account, currency,
    cast(sum(case label when 'captured' then amount_minor else - amount_minor end) as bigint) as residual_minor
  from total
  group by provider, account, currency
),
line as (
  select k.ordinal, a.provider, a.account, a.currency, k.label, coalesce(t.amount_minor, 0) as amount_minor, 1 as holds
  from account a
  join kind k on true
  left join total t on t.label = k.label and t.provider = a.provider and t.account = a.account and t.currency = a.currency
  union all
  select 16, provider, account, currency, 'residual', residual_minor, case when residual_minor = 0 then 1 else 0 end
  from account
)
select 'control_total', ordinal, provider, account, currency, '', label, amount_minor, holds
from line
