-- Every dispute as it stands at both moments, and the money that its ledger rows took and gave back by then (fees apart). The currency is that of the
-- rows, or the dispute's own while no money moved; a dispute whose rows have two currencies has two rows here.
-- Where the provider tells events, the newest before the moment says how it stands. Else a status bears no date, but the money given back does: a
-- dispute that is won was open until then. One that a settlement row closed is won by what the row gave back: all of it, or the rest is lost.
insert into dispute_at (
  moment, provider, dispute_id, payment_id, flow_key, account, status, status_since, reason, created_at, respond_by, asked_currency, asked_minor, currency, taken_minor,
  returned_minor, moved_at)
with moved as (
  select provider, record_id, currency, account, booked_at, amount_minor, case when from_party = 'platform' then 1 else 0 end as is_taken
  from entry
  where kind in ('dispute', 'dispute_reversal')
),
money as (
  select m.moment, e.provider, e.record_id, e.currency, min(e.account) as account, max(e.booked_at) as moved_at,
    cast(sum(case when e.is_taken = 1 then e.amount_minor else 0 end) as bigint) as taken_minor,
    cast(sum(case when e.is_taken = 1 then 0 else e.amount_minor end) as bigint) as returned_minor
  from moved e
  join moment m on e.booked_at < m.instant
  group by m.moment, e.provider, e.record_id, e.currency
),
settled as (
  select provider, record_id, min(booked_at) as settled_at from moved where is_taken = 0 group by provider, record_id
),
told as (
  select m.moment, e.provider, e.record_id, case e.state when 'opened' then 'open' else e.state end as status, e.feed, e.amount_minor,
    row_number() over (partition by m.moment, e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'inquiry' then 1 when 'opened' then 2 when 'won' then 3 when 'closed' then 4 else 5 end desc, e.event_id desc) as place,
    min(e.happened_at) over (partition by m.moment, e.provider, e.record_id, e.state) as status_since
  from told_event e
  join moment m on e.happened_at < m.instant
  where e.subject = 'dispute'
)
select m.moment, d.provider, d.dispute_id, coalesce(i.latest_payment_id, d.payment_id, ''),
  d.provider || ':' || coalesce(i.latest_payment_id, d.payment_id, d.dispute_id), coalesce(p.account, y.account, ''),
  case
    when t.status = 'closed' and t.feed = 'settlement' then case when t.amount_minor < d.amount_minor then 'lost' else 'won' end
    when t.status is not null then t.status
    when d.status = 'won' and w.settled_at >= m.instant then 'open'
    else d.status
  end,
  t.status_since, d.reason, d.created_at, d.respond_by, d.currency, d.amount_minor, coalesce(y.currency, d.currency), coalesce(y.taken_minor, 0),
  coalesce(y.returned_minor, 0), y.moved_at
from dispute d
join moment m on d.created_at < m.instant
left join intent i on i.provider = d.provider and i.intent_id = d.payment_id
left join payment p on p.provider = d.provider and p.payment_id = coalesce(i.latest_payment_id, d.payment_id)
left join money y on y.moment = m.moment and y.provider = d.provider and y.record_id = d.dispute_id
left join settled w on w.provider = d.provider and w.record_id = d.dispute_id
left join told t on t.moment = m.moment and t.provider = d.provider and t.record_id = d.dispute_id and t.place = 1
