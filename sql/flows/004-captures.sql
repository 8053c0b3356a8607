-- Each capture that a provider tells of, once, however many feeds tell it: the amount and the time by the money row's word, else the webhook's,
-- else that of a row which is dated anew since, else the API's. A capture that was taken back later is a row of its own.
insert into payment_capture (provider, payment_id, flow_key, capture_id, is_failure, currency, amount_minor, captured_at, confirmed_at, is_settled)
select r.provider, r.record_id, r.provider || ':' || r.record_id, r.event_id, r.is_failure, r.currency, r.amount_minor, r.happened_at,
  r.confirmed_at, r.is_settled
from (
  select e.provider, e.record_id, e.event_id, e.currency, e.amount_minor, e.happened_at,
    case e.state when 'capture_failed' then 1 else 0 end as is_failure,
    row_number() over (partition by e.provider, e.record_id, e.state, e.event_id
      order by case e.feed when 'settlement' then 0 when 'webhook' then 1 when 'restated' then 2 else 3 end) as place,
    min(e.happened_at) over (partition by e.provider, e.record_id, e.state, e.event_id) as confirmed_at,
    max(case e.feed when 'settlement' then 1 else 0 end) over (partition by e.provider, e.record_id, e.state, e.event_id) as is_settled
  from told_event e
  where e.subject = 'payment' and e.state in ('captured', 'capture_failed')
) r
where r.place = 1
