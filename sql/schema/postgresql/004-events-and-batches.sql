-- What providers that tell events need: events to be folded, rows that say themselves whose they are, settlement batches, and rows that tell
-- again what another row told.

alter table landed_file add column known_until bigint not null default 0;      -- known up to here even where the pull is incomplete; 0: only by the watermark

alter table ledger_row add column payment_id text collate "C";          -- the row itself names its payment, record, kind of record and connected account
alter table ledger_row add column record_id text collate "C";
alter table ledger_row add column record_kind text collate "C";
alter table ledger_row add column connected_account text collate "C";
alter table ledger_row add column presentment_currency text collate "C";      -- what the customer saw of it, a magnitude; null: the row's own amount
alter table ledger_row add column presentment_minor bigint;
alter table ledger_row add column is_echo bigint not null default 0;      -- 1: counts only where no other row tells of the same movement
alter table ledger_row_read add column payment_id text collate "C";
alter table ledger_row_read add column record_id text collate "C";
alter table ledger_row_read add column record_kind text collate "C";
alter table ledger_row_read add column connected_account text collate "C";
alter table ledger_row_read add column presentment_currency text collate "C";
alter table ledger_row_read add column presentment_minor bigint;
alter table ledger_row_read add column is_echo bigint not null default 0;

alter table payment add column tells_events bigint not null default 0;      -- 1: folded from events at every run (sql/flows)
alter table payment add column authorised_at bigint;
alter table payment add column canceled_at bigint;               -- the uncaptured whole was released, lapsed, or taken over by its captures
alter table refund add column failed_at bigint;                  -- of a folded refund
alter table policy add column capture_known_within bigint not null default 86400;      -- order_paid_within, and settle_within where captures are known from settlement files alone

create table record_event (             -- something that happened to a payment, a refund or a dispute
  provider text collate "C" not null, account text collate "C" not null,
  subject text collate "C" not null,               -- payment refund dispute
  record_id text collate "C" not null, payment_id text collate "C",
  event_id text collate "C" not null,              -- the same from several feeds: one happening
  state text collate "C" not null,                 -- started authorised captured capture_failed released declined | pending succeeded failed canceled | inquiry opened won lost closed
  feed text collate "C" not null,                  -- settlement webhook api
  currency text collate "C" not null, amount_minor bigint not null,      -- presentment
  happened_at bigint not null, until_at bigint,      -- until: an authorisation lapses, a dispute is to be answered
  method text collate "C", intent_id text collate "C", detail text collate "C",
  part text collate "C" not null default '',      -- a happening told in several parts (splits): their amounts add up; '' = told whole, which goes first
  is_echo bigint not null,                -- 1: counts only where no other event tells of the record
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, subject, record_id, state, event_id, feed, part)
);

create view told_event as               -- the events that count
select e.provider, e.account, e.subject, e.record_id, e.payment_id, e.event_id, e.state, e.feed, e.currency, e.amount_minor, e.happened_at,
  e.until_at, e.method, e.intent_id, e.detail, e.is_echo, e.landed_file, e.landed_line
from record_event e
where e.part = '' and (e.is_echo = 0 or not exists (
  select 1 from record_event o
  where o.provider = e.provider and o.subject = e.subject and o.record_id = e.record_id and o.is_echo = 0));

create table settlement_batch (         -- a batch as its provider numbers or names it
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null, number bigint, closed_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id)
);
create table batch_chunk (              -- the files that a batch came in
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null, chunk bigint not null,
  primary key (provider, batch_id, chunk)
);
create table batch_value (              -- what a batch states of itself: opening closing payout activity
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null, currency text collate "C" not null, name text collate "C" not null, row_id text collate "C" not null,
  amount_minor bigint not null, landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id, currency, name, row_id)
);
create table broken_row (               -- a row whose own arithmetic does not hold
  provider text collate "C" not null, account text collate "C" not null, row_id text collate "C" not null, payment_id text collate "C", batch_id text collate "C", currency text collate "C" not null,
  expected_minor bigint not null, actual_minor bigint not null, booked_at bigint not null, detail text collate "C" not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, row_id)
);

-- Derived by every run.
create table row_echo (                 -- rows that do not count, because another row tells their movement
  provider text collate "C" not null, row_id text collate "C" not null, echoes_row_id text collate "C",      -- the row that does, where one of the same amount was found
  primary key (provider, row_id)
);
create view booked_row as               -- the ledger rows that count
select l.provider, l.row_id, l.account, l.category, l.source_id, l.currency, l.amount_minor, l.fee_minor, l.net_minor, l.exchange_rate, l.booked_at,
  l.available_at, l.description, l.known_category, l.fee_sum_minor, l.late_since, l.late_until, l.first_landed_at, l.payment_id, l.record_id,
  l.record_kind, l.connected_account, l.presentment_currency, l.presentment_minor, l.landed_file, l.landed_line
from ledger_row l
where l.is_echo = 0 or not exists (select 1 from row_echo e where e.provider = l.provider and e.row_id = l.row_id);
create table payment_capture (          -- each capture, and each capture taken back, of the payments that are folded from events
  provider text collate "C" not null, payment_id text collate "C" not null, flow_key text collate "C" not null, capture_id text collate "C" not null,
  is_failure bigint not null, currency text collate "C" not null, amount_minor bigint not null,      -- presentment, > 0
  captured_at bigint not null,            -- by the word that goes first: settlement, webhook, api
  confirmed_at bigint not null,           -- the earliest word of it
  is_settled bigint not null,             -- 1: a settlement row tells of it
  primary key (provider, payment_id, is_failure, capture_id)
);

drop view dispute_at;
-- Every dispute as it stands at a moment, and the money that its ledger rows took and gave back by then (fees apart). The currency is that
-- of the rows, or the dispute's own while no money moved; a dispute whose rows have two currencies has two rows here.
-- Where the provider tells events, the newest before the moment says how it stands. Else a status bears no date, but the money given back
-- does: a dispute that is won was open until then.
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
  select m.moment, e.provider, e.record_id, case e.state when 'opened' then 'open' else e.state end as status,
    row_number() over (partition by m.moment, e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'inquiry' then 1 when 'opened' then 2 when 'won' then 3 when 'closed' then 4 else 5 end desc, e.event_id desc) as place
  from told_event e
  join moment m on e.happened_at < m.instant
  where e.subject = 'dispute'
)
select m.moment, d.provider, d.dispute_id, coalesce(i.latest_payment_id, d.payment_id, '') as payment_id,
  d.provider || ':' || coalesce(i.latest_payment_id, d.payment_id, d.dispute_id) as flow_key,     -- a dispute that names no payment stands for itself
  coalesce(p.account, y.account, '') as account,
  case when t.status is not null then t.status when d.status = 'won' and w.settled_at >= m.instant then 'open' else d.status end as status,
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
