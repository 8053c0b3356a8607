-- Each capture that a provider tells of, once, however many feeds tell it: the amount and the time by the money row's word, else the webhook's,
-- else that of a row which is dated anew since, else the API's. A capture that was taken back later is a row of its own.
-- An event that goes by its record and its row (PWC_1#B1/CAPTURE/PWC_1) tells one of what may be several captures: the first of them is what an API
-- tells by the payment's id alone, each further one goes by its row.
-- A money row that names its payment only is the capture of that amount that another feed names and no row does: the first row the first of them.
insert into payment_capture (
  provider, payment_id, flow_key, capture_id, is_failure, currency, amount_minor, captured_at, confirmed_at, is_settled, is_alone)
with event as (
  select e.provider, e.record_id, e.event_id, e.account, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
    case when substr(e.event_id, 1, length(e.record_id) + 1) = e.record_id || '#' then 1 else 0 end as is_of_row
  from told_event e
  where e.subject = 'payment' and e.state in ('captured', 'capture_failed')
),
named as (
  select e.provider, e.record_id, e.account, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
    case
      when e.is_of_row = 0 then e.event_id
      when row_number() over (partition by e.provider, e.record_id, e.state, e.is_of_row order by e.happened_at, e.event_id) = 1 then e.record_id
      else substr(e.event_id, length(e.record_id) + 2)
    end as event_id
  from event e
),
told as (
  select e.provider, e.record_id, e.event_id, e.account, e.currency, e.amount_minor, e.happened_at,
    case e.state when 'capture_failed' then 1 else 0 end as is_failure,
    row_number() over (partition by e.provider, e.record_id, e.state, e.event_id
      order by case e.feed when 'settlement' then 0 when 'webhook' then 1 when 'restated' then 2 else 3 end) as place,
    min(e.happened_at) over (partition by e.provider, e.record_id, e.state, e.event_id) as confirmed_at,
    max(case e.feed when 'settlement' then 1 else 0 end) over (partition by e.provider, e.record_id, e.state, e.event_id) as is_settled,
    min(case e.state when 'capture_failed' then 1 else 0 end) over (partition by e.provider, e.record_id) as is_alone,
    case when e.event_id = e.record_id or substr(e.event_id, 1, length(e.record_id) + 1) = e.record_id || '/' then 1 else 0 end as is_nameless
  from named e
),
sided as (                               -- a nameless row, and what it may be: what no row of its account tells
  select t.provider, t.record_id, t.event_id, t.is_failure, t.currency, t.amount_minor, t.happened_at, t.confirmed_at, t.is_settled, t.is_alone,
    case
      when t.is_settled = 1 and t.is_nameless = 1 then 1
      when t.is_nameless = 0 and (t.is_settled = 0 or t.account <> max(case when t.is_settled = 1 and t.is_nameless = 1 then t.account end)
        over (partition by t.provider, t.record_id, t.is_failure)) then 2
      else 0
    end as side
  from told t
  where t.place = 1
),
numbered as (
  select s.provider, s.record_id, s.event_id, s.is_failure, s.currency, s.amount_minor, s.happened_at, s.confirmed_at, s.is_settled, s.is_alone,
    s.side, row_number() over (partition by s.provider, s.record_id, s.is_failure, s.currency, s.amount_minor, s.side
      order by s.confirmed_at, s.event_id) as place
  from sided s
),
met as (
  select n.provider, n.record_id, n.event_id, n.is_failure, n.currency, n.amount_minor, n.happened_at, n.is_settled, n.is_alone, n.side,
    case when n.side = 0 then n.confirmed_at else min(n.confirmed_at) over same end as confirmed_at,
    case when n.side = 2 then min(n.side) over same else n.side end as row_side
  from numbered n
  window same as (partition by n.provider, n.record_id, n.is_failure, n.currency, n.amount_minor, case when n.side = 0 then 0 else 1 end, n.place)
)
select m.provider, m.record_id, m.provider || ':' || m.record_id, m.event_id, m.is_failure, m.currency, m.amount_minor, m.happened_at,
  m.confirmed_at, m.is_settled, m.is_alone
from met m
where m.side = m.row_side
