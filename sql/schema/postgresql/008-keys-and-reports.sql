-- What says that something is to come: the batch after the last one, and the end of a key.

alter table settlement_batch add column next_at bigint;      -- when the next batch of the account is to close; null: none is to be expected
alter table policy add column report_due_within bigint not null default 93600;      -- an expected report is there by then, seconds after its batch closed

create table credential (               -- a key of ours with an end, as its provider states it; no secret
  provider text collate "C" not null, account text collate "C" not null, key_id text collate "C" not null, expires_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, key_id)
);

drop view dispute_at;
-- Every dispute as it stands at a moment, and the money that its ledger rows took and gave back by then (fees apart). The currency is that
-- of the rows, or the dispute's own while no money moved; a dispute whose rows have two currencies has two rows here.
-- Where the provider tells events, the newest before the moment says how it stands. Else a status bears no date, but the money given back
-- does: a dispute that is won was open until then. One that a settlement row closed is won by what the row gave back: all of it, or the rest is lost.
create view dispute_at as
with money as (
  select m.moment, e.provider, e.record_id, e.currency, min(e.account) as account, max(e.booked_at) as moved_at,
    cast(sum(case when e.from_party = 'platform' then e.amount_minor else 0 end) as bigint) as taken_minor,
    cast(sum(case when e.from_party = 'platform' then 0 else e.amount_minor end) as bigint) as returned_minor
  from entry e
  join moment m on e.booked_at < m.instant
  where e.kind in ('dispute', 'dispute_reversal')
  group by m.moment, e.provider, e.record_id, e.currency
),
settled as (
  select e.provider, e.record_id, min(e.booked_at) as settled_at
  from entry e
  where e.kind in ('dispute', 'dispute_reversal') and e.from_party <> 'platform'
  group by e.provider, e.record_id
),
told as (
  select m.moment, e.provider, e.record_id, case e.state when 'opened' then 'open' else e.state end as status, e.feed, e.amount_minor,
    row_number() over (partition by m.moment, e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'inquiry' then 1 when 'opened' then 2 when 'won' then 3 when 'closed' then 4 else 5 end desc, e.event_id desc) as place
  from told_event e
  join moment m on e.happened_at < m.instant
  where e.subject = 'dispute'
)
select m.moment, d.provider, d.dispute_id, coalesce(i.latest_payment_id, d.payment_id, '') as payment_id,
  d.provider || ':' || coalesce(i.latest_payment_id, d.payment_id, d.dispute_id) as flow_key,     -- a dispute that names no payment stands for itself
  coalesce(p.account, y.account, '') as account,
  case
    when t.status = 'closed' and t.feed = 'settlement' then case when t.amount_minor < d.amount_minor then 'lost' else 'won' end
    when t.status is not null then t.status
    when d.status = 'won' and w.settled_at >= m.instant then 'open'
    else d.status
  end as status,
  d.reason, d.created_at, d.respond_by,
  d.currency as asked_currency, d.amount_minor as asked_minor,
  coalesce(y.currency, d.currency) as currency, coalesce(y.taken_minor, 0) as taken_minor,
  coalesce(y.returned_minor, 0) as returned_minor,
  y.moved_at                              -- when its newest money row was booked; null: no money moved
from dispute d
join moment m on d.created_at < m.instant
left join intent i on i.provider = d.provider and i.intent_id = d.payment_id
left join payment p on p.provider = d.provider and p.payment_id = coalesce(i.latest_payment_id, d.payment_id)
left join money y on y.moment = m.moment and y.provider = d.provider and y.record_id = d.dispute_id
left join settled w on w.provider = d.provider and w.record_id = d.dispute_id
left join told t on t.moment = m.moment and t.provider = d.provider and t.record_id = d.dispute_id and t.place = 1;
