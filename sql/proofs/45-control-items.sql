-- The items of the control total (50): what was captured and what the orders were to bring, each with the term that its
-- group's state makes of it.
--
-- Captures are summed from the entries and tenders from the orders, so a capture that no payment carries, or an order
-- in no group, has no term. A capture whose payment was not read, or its part given back, is pending while those are
-- not known that far.
insert into control_item (side, provider, account, currency, group_id, term, amount_minor, group_no)
with captured as (
  select e.provider, coalesce(p.account, e.account) as account, e.flow_key,
    coalesce(e.presentment_currency, e.currency) as currency,
    cast(sum(case when e.to_party = 'platform' then coalesce(e.presentment_minor, e.amount_minor)
      else - coalesce(e.presentment_minor, e.amount_minor) end) as bigint) as amount_minor,
    min(l.group_no) as group_no
  from entry e
  left join ledger_row l on l.provider = e.provider and l.row_id = e.row_id
  left join payment p on p.provider = e.provider and p.payment_id = e.payment_id
  join moment m on m.moment = 1 and e.booked_at < m.instant
  where e.kind in ('capture', 'charge_failure') and e.flow_key is not null
  group by e.provider, coalesce(p.account, e.account), e.flow_key, coalesce(e.presentment_currency, e.currency)
  union all                            -- what a webhook or an API has confirmed, and no money row has booked yet
  select c.provider, p.account, c.flow_key, c.currency,
    cast(sum(case c.is_failure when 0 then c.amount_minor else - c.amount_minor end) as bigint),
    min((
      select min(v.group_no) from record_event v where v.provider = c.provider and v.subject = 'payment'
        and v.record_id = c.payment_id))
  from payment_capture c
  join moment m on m.moment = 1 and c.confirmed_at < m.instant
  join payment p on p.provider = c.provider and p.payment_id = c.payment_id
  left join entry e on e.flow_key = c.flow_key and e.record_id = c.capture_id and e.booked_at < m.instant
    and e.kind = case c.is_failure when 0 then 'capture' else 'charge_failure' end
  where e.entry_id is null
  group by c.provider, p.account, c.flow_key, c.currency
  union all                            -- what failed was captured, reported or not
  select c.provider, p.account, c.flow_key, c.currency, cast(sum(c.amount_minor) as bigint),
    min((
      select min(v.group_no) from record_event v where v.provider = c.provider and v.subject = 'payment'
        and v.record_id = c.payment_id))
  from payment_capture c
  join moment m on m.moment = 1 and c.confirmed_at < m.instant
  join payment p on p.provider = c.provider and p.payment_id = c.payment_id
  where c.is_alone = 1
  group by c.provider, p.account, c.flow_key, c.currency
),
held as (                              -- of a cancelled order that was paid in several currencies, those that are
                                       -- listed; what was captured in another one went back
  select distinct g.group_id, f.currency
  from group_at g
  join finding f on f.type = g.finding and f.moment = 1 and f.subject = g.group_id || ':' || f.currency
  where g.moment = 1 and g.finding = 'captured_after_cancel' and g.payment_currency is null
),
standing as (                          -- how a group stands decides which term carries its difference
  select g.group_id, g.provider, g.account, g.finding,
    case
      when g.match_status = 'pending' then 'pending'
      when g.finding <> 'none' and f.type is null and a.type is null and w.group_id is null and i.gaps > 0
        then 'pending'
      when g.finding <> 'none' then g.finding
      when g.orders > 0 and o.live = 0 and o.pending > 0 then 'pending'
      when g.orders > 0 and (o.live = 0 or o.cancelled > 0) then 'refunded_after_cancel'
      else 'within_tolerance'
    end as term
  from group_at g
  left join (
    select n.group_id, sum(case when c.status in ('pending', 'cancelled') then 0 else 1 end) as live,
      sum(case when c.status = 'pending' then 1 else 0 end) as pending,
      sum(case when c.status = 'cancelled' then 1 else 0 end) as cancelled
    from customer_order c
    join moment m on m.moment = 1 and c.placed_at < m.instant
    join match_node n on n.node = 'o:' || c.order_id
    group by n.group_id
  ) o on o.group_id = g.group_id
  left join finding f on f.type = g.finding and f.moment = 1 and f.subject = g.group_id
  left join (select distinct group_id from held) w on w.group_id = g.group_id
  left join (
    select n.group_id, min(b.init_hash) as init_hash
    from payment_hash b
    join match_node n on n.node = 'p:' || b.flow_key
    group by n.group_id
  ) h on g.finding = 'init_without_order' and h.group_id = g.group_id
  left join finding a on a.type = g.finding and a.moment = 1 and a.subject = h.init_hash
  cross join (                         -- a finding that rests on a source that was not read in full is pending
    select cast(count(*) as bigint) as gaps from known where is_complete = 0
  ) i
  where g.moment = 1
),
placed as (
  select c.provider, c.account, c.currency, c.amount_minor, coalesce(c.group_no, 0) as group_no, s.group_id,
    coalesce(s.provider, c.provider) as group_provider, coalesce(s.account, c.account) as group_account,
    case
      when s.group_id is null and coalesce(k.is_complete, 0) = 0 then 'pending'
      when h.group_id is not null and w.group_id is null then 'refunded_after_cancel'
      else s.term
    end as term
  from captured c
  left join match_node n on n.node = 'p:' || c.flow_key
  left join standing s on s.group_id = n.group_id
  left join (select distinct group_id from held) h on h.group_id = n.group_id
  left join held w on w.group_id = n.group_id and w.currency = c.currency
  left join (
    select source, min(is_complete) as is_complete from known where subject in ('payments', 'refunds') group by source
  ) k on k.source = c.provider
)
select 'captured' as side, provider, account, currency, group_id, term, amount_minor, group_no
from placed
union all                              -- what an order was paid at another account is its tender there, and not here
select 'tender', provider, account, currency, group_id, term, - amount_minor, group_no
from placed
where group_provider <> provider or group_account <> account
union all
select 'tender', group_provider, group_account, currency, group_id, term, amount_minor, group_no
from placed
where group_provider <> provider or group_account <> account
union all
select 'tender', coalesce(s.provider, c.provider, ''), coalesce(s.account, ''), c.currency, s.group_id, s.term,
  - c.tender_minor,
  c.group_no
from customer_order c
join moment m on m.moment = 1 and c.placed_at < m.instant
left join match_node n on n.node = 'o:' || c.order_id
left join standing s on s.group_id = n.group_id
where c.status not in ('pending', 'cancelled')
