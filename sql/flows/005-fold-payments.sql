-- A payment from its events: what was authorised, what was captured, and when what was not captured was released.
-- One that is known by a refund, a dispute or a failed capture alone was captured before anything of it was read.
insert into payment (
  provider, payment_id, flow_key, account, intent_id, status, is_captured, is_declined, currency, amount_minor, captured_minor, created_at,
  capture_before, method, tells_events, authorised_at, canceled_at, landed_file, landed_line)
with event as (
  select e.provider, e.account, case e.subject when 'payment' then e.record_id else e.payment_id end as payment_id,
    case e.subject when 'payment' then e.state else 'known' end as state, e.feed, e.currency, e.amount_minor, e.happened_at, e.until_at, e.method,
    e.intent_id, e.landed_file, e.landed_line
  from told_event e
  where e.subject = 'payment' or e.payment_id is not null
),
captured as (
  select c.provider, c.payment_id, min(c.currency) as currency,
    cast(sum(case when c.is_failure = 0 or c.is_alone = 1 then c.amount_minor else 0 end) as bigint) as captured_minor,
    min(case when c.is_failure = 0 then c.confirmed_at end) as confirmed_at
  from payment_capture c
  group by c.provider, c.payment_id
),
taken_over as (                         -- an authorisation with an id of its own, as far as captures name it
  select i.provider, i.intent_id as payment_id, max(c.confirmed_at) as taken_at, cast(sum(c.amount_minor) as bigint) as captured_minor
  from (
    select distinct e.provider, e.record_id, e.intent_id
    from told_event e
    where e.subject = 'payment' and e.state = 'captured' and e.intent_id is not null and e.intent_id <> e.record_id
  ) i
  join payment_capture c on c.provider = i.provider and c.payment_id = i.record_id and c.is_failure = 0
  group by i.provider, i.intent_id
),
summed as (
  select e.provider, e.payment_id, max(e.account) as account, max(e.intent_id) as intent_id, max(e.method) as method,
    max(case when e.state in ('authorised', 'captured', 'capture_failed', 'known') then 1 else 0 end) as is_held,
    max(case when e.state = 'captured' then 1 else 0 end) as is_captured,
    max(case when e.state = 'started' then 1 else 0 end) as is_started,
    max(case when e.state = 'known' then 1 else 0 end) as is_known,
    min(case when e.state in ('authorised', 'started') then e.currency end) as asked_currency, min(e.currency) as currency,
    max(case when e.state in ('authorised', 'started') then e.amount_minor end) as asked_minor, max(e.amount_minor) as amount_minor,
    min(e.happened_at) as created_at,
    min(case when e.state in ('authorised', 'captured', 'capture_failed', 'known') then e.happened_at end) as authorised_at,
    max(case when e.state = 'authorised' then e.until_at end) as until_at,
    max(case when e.state = 'released' then e.happened_at end) as released_at,
    max(case when e.state = 'declined' then e.happened_at end) as declined_at,
    max(e.landed_file) as landed_file
  from event e
  group by e.provider, e.payment_id
),
placed as (
  select e.provider, e.payment_id, e.landed_file, min(e.landed_line) as landed_line
  from event e
  group by e.provider, e.payment_id, e.landed_file
)
select s.provider, s.payment_id, s.provider || ':' || s.payment_id, s.account, s.intent_id,
  case when s.is_held = 1 then 'succeeded' when s.is_started = 1 then 'pending' else 'failed' end,
  case when s.is_captured = 1 or (s.is_known = 1 and s.asked_minor is null) then 1 else 0 end,
  case when s.is_held = 0 and s.is_started = 0 then 1 else 0 end,
  coalesce(c.currency, s.asked_currency, s.currency), coalesce(s.asked_minor, c.captured_minor, s.amount_minor), coalesce(c.captured_minor, 0),
  s.created_at, s.until_at, s.method, 1, s.authorised_at,
  case
    when t.captured_minor >= coalesce(s.asked_minor, 0) and (s.released_at is null or t.taken_at < s.released_at) then t.taken_at
    when s.released_at is not null then s.released_at
    when s.until_at is not null then s.until_at
    when s.is_held = 0 then s.declined_at
  end,
  s.landed_file, p.landed_line
from summed s
join placed p on p.provider = s.provider and p.payment_id = s.payment_id and p.landed_file = s.landed_file
left join captured c on c.provider = s.provider and c.payment_id = s.payment_id
left join taken_over t on t.provider = s.provider and t.payment_id = s.payment_id
