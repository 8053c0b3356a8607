-- What providers that report events need: events to be folded, rows that say themselves whose they are, settlement
-- batches, and rows that report again what another row reported.

create table record_event (             -- something that happened to a payment, a refund or a dispute
  provider text not null, account text not null,
  subject text not null,               -- payment refund dispute
  record_id text not null, payment_id text,
  event_id text not null,              -- the same from several feeds: one event
  -- started authorised captured capture_failed released declined | pending succeeded failed canceled | inquiry opened
  -- won lost closed
  state text not null,
  feed text not null,                  -- settlement webhook restated api
  currency text not null, amount_minor integer not null,      -- presentment
  happened_at integer not null, until_at integer,      -- until: an authorisation lapses, a dispute is to be answered
  method text, intent_id text, detail text,
  -- an event reported in several parts (splits): their amounts add up; '' = reported whole, which goes first
  part text not null default '',
  is_echo integer not null,                -- 1: counts only where no other event reports the record
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, subject, record_id, state, event_id, feed, part)
) strict, without rowid;

create table settlement_batch (         -- a batch as its provider numbers or names it
  provider text not null, account text not null, batch_id text not null,
  number integer, closed_at integer not null,
  next_at integer,                       -- when the next batch of the account is to close; null: none is to be expected
  -- the numbered batch of which this is the part in a further currency; null: a batch itself
  part_of text,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, batch_id)
) strict;

create table announced_batch (          -- a batch whose report its provider has said to be there
  provider text not null, account text not null, batch_id text not null,
  number integer not null, announced_at integer not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, batch_id)
) strict;

create table batch_chunk (              -- the files that a batch came in
  provider text not null, account text not null, batch_id text not null,
  chunk integer not null,
  primary key (provider, batch_id, chunk)
) strict;

create table batch_value (              -- what a batch states of itself: opening closing payout activity
  provider text not null, account text not null, batch_id text not null,
  currency text not null, name text not null, row_id text not null,
  amount_minor integer not null, landed_file integer not null, landed_line integer not null,
  primary key (provider, batch_id, currency, name, row_id)
) strict;

create table stated_broken_row (               -- a row whose own arithmetic does not hold
  provider text not null, account text not null, row_id text not null,
  payment_id text, batch_id text, currency text not null,
  expected_minor integer not null, actual_minor integer not null, booked_at integer not null,
  detail text not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, row_id)
) strict;

-- Settlement days that pay the sum of exact amounts, rounded once.

create table settled_net (              -- a settlement row's exact net
  -- payout_id: the settlement date
  provider text not null, account text not null, payout_id text not null,
  -- the ledger row of the movement, and that of its fee
  row_id text not null, fee_row_id text,
  -- of the major unit; millionths of one minor unit
  currency text not null, net_millionths integer not null, minor_millionths integer not null,
  settled_at integer not null,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, row_id)
) strict, without rowid;
-- Asked while a store is built from nothing, too: which days a landed file pays, and what a day pays.
create index settled_net_file on settled_net (landed_file);
create index settled_net_payout on settled_net (provider, payout_id);

-- Payments that an ordering front end started: its calls, and what they say together (docs/contract.md section 5.8).

create table payment_init_call (        -- filled by Swift from the landing zone, never changed by SQL
  source text not null, init_hash text not null,          -- 32 hexadecimal digits in lower case
  call text not null,                    -- init-payment auth-payment orders
  at integer not null,
  -- of the order source; the amount only where the call says one
  currency text not null, amount_minor integer,
  asks_approval integer not null,         -- 1: the customer has to approve before the payment is authorised
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (source, init_hash, call, at)
) strict;

-- Platforms: payouts that are reported step by step.

create table payout_step (              -- something that happened to a payout: booked, failed, returned
  provider text not null, account text not null, payout_id text not null,
  row_id text not null,                -- the ledger row, or a name of its own where no money moved
  status text not null,                -- the provider's word
  currency text not null, amount_minor integer not null,      -- positive towards the bank
  happened_at integer not null, bank_reference text,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, row_id)
) strict;

-- What says that something is to come: the end of a key.

create table credential (               -- a key of ours with an end, as its provider states it; no secret
  provider text not null, account text not null, key_id text not null,
  expires_at integer not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, key_id)
) strict;
