-- Each capture that a provider tells of, once, however many feeds tell it: the amount and the time by the money row's word, else the webhook's,
-- else the API's. A capture that was taken back later is a row of its own.
--
-- An event that goes by its record and its row (PWC_1/B1/CAPTURE/PWC_1) tells one of what may be several captures: the first of them is what an API
-- tells by the payment's id alone, each further one goes by its row.
insert into payment_capture (provider, payment_id, flow_key, capture_id, is_failure, currency, amount_minor, captured_at, confirmed_at, is_settled)
with event as (
  select e.provider, e.record_id, e.event_id, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
    case when substr(e.event_id, 1, length(e.record_id) + 1) = e.record_id || '/' then 1 else 0 end as is_of_row
  from told_event e
  where e.subject = 'payment' and e.state in ('captured', 'capture_failed')
),
named as (
  select e.provider, e.record_id, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
    case
      when e.is_of_row = 0 then e.event_id
      when row_number() over (partition by e.provider, e.record_id, e.state, e.is_of_row order by e.happened_at, e.event_id) = 1 then e.record_id
      else substr(e.event_id, length(e.record_id) + 2)
    end as capture_id
  from event e
)
select r.provider, r.record_id, r.provider || ':' || r.record_id, r.capture_id, r.is_failure, r.currency, r.amount_minor, r.happened_at,
  r.confirmed_at, r.is_settled
from (
  select e.provider, e.record_id, e.capture_id, e.currency, e.amount_minor, e.happened_at,
    case e.state when 'capture_failed' then 1 else 0 end as is_failure,
    row_number() over (partition by e.provider, e.record_id, e.state, e.capture_id
      order by case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end) as place,
    min(e.happened_at) over (partition by e.provider, e.record_id, e.state, e.capture_id) as confirmed_at,
    max(case e.feed when 'settlement' then 1 else 0 end) over (partition by e.provider, e.record_id, e.state, e.capture_id) as is_settled
  from named e
) r
where r.place = 1
