-- What providers that report events need: events to be folded, rows that say themselves whose they are, settlement
-- batches, and rows that report again what another row reported.

create table record_event (             -- something that happened to a payment, a refund or a dispute
  provider text collate "C" not null, account text collate "C" not null,
  subject text collate "C" not null,               -- payment refund dispute
  record_id text collate "C" not null, payment_id text collate "C",
  event_id text collate "C" not null,              -- the same from several feeds: one event
  -- started authorised captured capture_failed released declined | pending succeeded failed canceled | inquiry opened
  -- won lost closed
  state text collate "C" not null,
  feed text collate "C" not null,                  -- settlement webhook restated api
  currency text collate "C" not null, amount_minor bigint not null,      -- presentment
  happened_at bigint not null, until_at bigint,      -- until: an authorisation lapses, a dispute is to be answered
  method text collate "C", intent_id text collate "C", detail text collate "C",
  -- an event reported in several parts (splits): their amounts add up; '' = reported whole, which goes first
  part text collate "C" not null default '',
  is_echo bigint not null,                -- 1: counts only where no other event reports the record
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, subject, record_id, state, event_id, feed, part)
);

create table settlement_batch (         -- a batch as its provider numbers or names it
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null,
  number bigint, closed_at bigint not null,
  next_at bigint,                       -- when the next batch of the account is to close; null: none is to be expected
  -- the numbered batch of which this is the part in a further currency; null: a batch itself
  part_of text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id)
);

create table announced_batch (          -- a batch whose report its provider has said to be there
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null,
  number bigint not null, announced_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id)
);

create table batch_chunk (              -- the files that a batch came in
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null,
  chunk bigint not null,
  primary key (provider, batch_id, chunk)
);

create table batch_value (              -- what a batch states of itself: opening closing payout activity
  provider text collate "C" not null, account text collate "C" not null, batch_id text collate "C" not null,
  currency text collate "C" not null, name text collate "C" not null, row_id text collate "C" not null,
  amount_minor bigint not null, landed_file bigint not null, landed_line bigint not null,
  primary key (provider, batch_id, currency, name, row_id)
);

create table stated_broken_row (               -- a row whose own arithmetic does not hold
  provider text collate "C" not null, account text collate "C" not null, row_id text collate "C" not null,
  payment_id text collate "C", batch_id text collate "C", currency text collate "C" not null,
  expected_minor bigint not null, actual_minor bigint not null, booked_at bigint not null,
  detail text collate "C" not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, row_id)
);

-- Settlement days that pay the sum of exact amounts, rounded once.

create table settled_net (              -- a settlement row's exact net
  -- payout_id: the settlement date
  provider text collate "C" not null, account text collate "C" not null, payout_id text collate "C" not null,
  -- the ledger row of the movement, and that of its fee
  row_id text collate "C" not null, fee_row_id text collate "C",
  -- of the major unit; millionths of one minor unit
  currency text collate "C" not null, net_millionths bigint not null, minor_millionths bigint not null,
  settled_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, row_id)
);
-- Asked while a store is built from nothing, too: which days a landed file pays, and what a day pays.
create index settled_net_file on settled_net (landed_file);
create index settled_net_payout on settled_net (provider, payout_id);

-- Payments that an ordering front end started: its calls, and what they say together (docs/contract.md section 5.8).

create table payment_init_call (        -- filled by Swift from the landing zone, never changed by SQL
  source text collate "C" not null, init_hash text collate "C" not null,          -- 32 hexadecimal digits in lower case
  call text collate "C" not null,                    -- init-payment auth-payment orders
  at bigint not null,
  -- of the order source; the amount only where the call says one
  currency text collate "C" not null, amount_minor bigint,
  asks_approval bigint not null,         -- 1: the customer has to approve before the payment is authorised
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (source, init_hash, call, at)
);

-- Platforms: payouts that are reported step by step.

create table payout_step (              -- something that happened to a payout: booked, failed, returned
  provider text collate "C" not null, account text collate "C" not null, payout_id text collate "C" not null,
  row_id text collate "C" not null,                -- the ledger row, or a name of its own where no money moved
  status text collate "C" not null,                -- the provider's word
  currency text collate "C" not null, amount_minor bigint not null,      -- positive towards the bank
  happened_at bigint not null, bank_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, row_id)
);

-- What says that something is to come: the end of a key.

create table credential (               -- a key of ours with an end, as its provider states it; no secret
  provider text collate "C" not null, account text collate "C" not null, key_id text collate "C" not null,
  expires_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, key_id)
);
