-- Dispute {record_id} of payment {payment_id} ({reason}) {took} {actual} from the balance (response due: {respond_by}).
--
-- Why it matters: the money is withdrawn until the dispute is won, and a late answer loses it.
-- What clears it: the dispute being closed: won, lost (then dispute_lost reports it) or withdrawn.
-- Suggested action: Operations: answer the dispute at the provider with evidence before the response date, or accept
-- it.
-- Severity: high
-- Rests on: nothing
-- Also reads: disputes ledger

-- A notification that money was taken counts until its row is booked: one discrepancy, dated by whichever came first;
-- one whose money was returned since does not count. Where disputes are reported by an API only, and never by a ledger
-- row, an open one is shown with the amount in dispute.
with announced as (
  select w.moment, w.provider, w.record_id, min(w.happened_at) as notified_at,
    max(case w.place when 1 then w.currency end) as currency,
    max(case w.place when 1 then w.amount_minor end) as amount_minor
  from (
    select m.moment, e.provider, e.record_id, e.currency, e.amount_minor, e.happened_at,
      row_number() over (partition by m.moment, e.provider, e.record_id order by e.happened_at desc,
        e.event_id desc) as place
    from told_event e
    join moment m on e.happened_at < m.instant
    where e.subject = 'dispute' and e.feed = 'webhook' and e.state in ('opened', 'lost') and not exists (
      select 1
      from record_event r
      where r.provider = e.provider and r.subject = 'dispute' and r.record_id = e.record_id and r.state = 'won'
        and r.happened_at >= e.happened_at and r.happened_at < m.instant)
  ) w
  group by w.moment, w.provider, w.record_id
),
told_only as (
  select t.provider
  from provider_trait t
  left join provider_trait o on o.provider = t.provider and o.trait = 'dispute_rows'
  where t.trait = 'dispute_api' and o.provider is null
),
found as (
  select d.moment, d.dispute_id, d.flow_key, d.provider, d.account, d.payment_id, d.reason, d.respond_by, d.currency,
    d.taken_minor,
    d.returned_minor, d.asked_minor, d.status, a.notified_at, a.currency as notified_currency,
      a.amount_minor as notified_minor,
    greatest_of(d.created_at, coalesce(d.moved_at, d.created_at)) as moved_at,
    case
      when d.taken_minor > d.returned_minor then case when d.status in ('open', 'inquiry') then 'row' end
      when a.notified_at is not null then case when d.status in ('open', 'lost') then 'notification' end
      when d.status = 'open' and d.moved_at is null and s.provider is not null then 'api'
    end as known_by
  from dispute_at d
  left join announced a on a.moment = d.moment and a.provider = d.provider and a.record_id = d.dispute_id
  left join told_only s on s.provider = d.provider
  where d.status in ('open', 'inquiry', 'lost')
),
held as (                                -- before its row is booked a dispute goes by the currency that the payment
                                         -- settled in, as it will then
  select f.moment, f.dispute_id, f.flow_key, f.provider, f.account, f.payment_id, f.reason, f.respond_by,
    case f.known_by when 'notification' then f.notified_currency else f.currency end as currency,
    case f.known_by when 'row' then f.taken_minor - f.returned_minor when 'notification' then f.notified_minor
      else f.asked_minor end as amount_minor,
    case when f.known_by = 'notification' or f.notified_at < f.moved_at then f.notified_at
      else f.moved_at end as held_at,
    case f.known_by when 'notification' then coalesce(p.settlement_currency, f.notified_currency)
      else f.currency end as row_currency,
    f.known_by
  from found f
  left join payment_at p on p.moment = f.moment and p.flow_key = f.flow_key
  where f.known_by is not null
),
named as (
  select h.moment, h.dispute_id, h.flow_key, h.provider, h.account, h.payment_id, h.reason, h.respond_by, h.currency,
    h.amount_minor, h.held_at,
    h.flow_key || ':' || case when min(h.currency) over together = max(h.currency) over together then h.row_currency
      else h.currency end as subject,
    case h.known_by when 'api' then 0 else 1 end as has_moved
  from held h
  window together as (partition by h.moment, h.flow_key, h.row_currency)
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by dispute_id) as place,
    group_concat(dispute_id, ' ') over (partition by moment, subject order by dispute_id
      rows between unbounded preceding and unbounded following) as ids
  from named
),
summed as (
  select moment, subject, flow_key, provider, account, payment_id, currency,
    cast(sum(amount_minor) as bigint) as amount_minor,
    min(held_at) as since, min(respond_by) as respond_by, max(has_moved) as has_moved,
    case when min(reason) = max(reason) then min(reason) when min(reason) is null then 'no reason stated'
      else 'several reasons' end as reason
  from named
  group by moment, subject, flow_key, provider, account, payment_id, currency
)
select s.moment, s.subject, s.provider, s.account, coalesce(g.order_ids, '') as order_id, s.payment_id,
  l.ids as record_id, s.currency,
  0 as expected_minor, s.amount_minor as actual_minor, s.since, coalesce(t.connected_account, '') as connected_account,
    s.reason,
  s.respond_by as respond_by_at, case s.has_moved when 1 then 'took' else 'may take' end as took
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.place = 1
left join payment_at t on t.moment = s.moment and t.flow_key = s.flow_key
left join match_node n on n.node = 'p:' || s.flow_key
left join group_at g on g.moment = s.moment and g.group_id = n.group_id
order by s.moment, s.subject
