-- What providers that tell events need: events to be folded, rows that say themselves whose they are, settlement batches, and rows that tell
-- again what another row told.

create table record_event (             -- something that happened to a payment, a refund or a dispute
  provider text collate "C" not null, account text collate "C" not null,
  subject text collate "C" not null,               -- payment refund dispute
  record_id text collate "C" not null, payment_id text collate "C",
  event_id text collate "C" not null,              -- the same from several feeds: one happening
  state text collate "C" not null,                 -- started authorised captured capture_failed released declined | pending succeeded failed canceled | inquiry opened won lost closed
  feed text collate "C" not null,                  -- settlement webhook restated api
  currency text collate "C" not null, amount_minor bigint not null,      -- presentment
  happened_at bigint not null, until_at bigint,      -- until: an authorisation lapses, a dispute is to be answered
  method text collate "C", intent_id text collate "C", detail text collate "C",
  part text collate "C" not null default '',      -- a happening told in several parts (splits): their amounts add up; '' = told whole, which goes first
  is_echo bigint not null,                -- 1: counts only where no other event tells of the record
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, subject, record_id, state, event_id, feed, part)
);

create table settlement_batch (         -- a batch as its provider numbers or names it
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null, number bigint, closed_at bigint not null,
  next_at bigint,                       -- when the next batch of the account is to close; null: none is to be expected
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id)
);
create table announced_batch (          -- a batch whose report its provider has said to be there
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null, number bigint not null, announced_at bigint not null,
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
select l.row_no, l.provider, l.row_id, l.account, l.category, l.source_id, l.currency, l.amount_minor, l.fee_minor, l.net_minor, l.exchange_rate, l.booked_at,
  l.available_at, l.description, l.known_category, l.fee_sum_minor, l.late_since, l.late_until, l.first_landed_at, l.payment_id, l.record_id,
  l.record_kind, l.connected_account, l.presentment_currency, l.presentment_minor, l.landed_file, l.landed_line, l.row_name, l.payout_id
from ledger_row l
where l.is_echo = 0 or not exists (select 1 from row_echo e where e.provider = l.provider and e.row_id = l.row_id);
create table payment_capture (          -- each capture, and each capture taken back, of the payments that are folded from events
  provider text collate "C" not null, payment_id text collate "C" not null, flow_key text collate "C" not null, capture_id text collate "C" not null,
  is_failure bigint not null, currency text collate "C" not null, amount_minor bigint not null,      -- presentment, > 0
  captured_at bigint not null,            -- by the word that goes first: settlement, webhook, api
  confirmed_at bigint not null,           -- the earliest word of it
  is_settled bigint not null,             -- 1: a settlement row tells of it
  is_alone bigint not null,               -- 1: taken back, and no capture of the payment is told
  primary key (provider, payment_id, is_failure, capture_id)
);

create view named_dispute as            -- the dispute of a payment that the provider knows by an id: the first, where there are several
select d.provider, d.payment_id, d.dispute_id
from (
  select e.provider, e.payment_id, e.record_id as dispute_id,
    row_number() over (partition by e.provider, e.payment_id order by e.happened_at, e.record_id) as place
  from record_event e
  where e.subject = 'dispute' and e.payment_id is not null and e.record_id <> e.payment_id
) d
where d.place = 1;
