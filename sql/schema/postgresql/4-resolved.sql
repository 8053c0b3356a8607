-- What is kept of the runs so that the next one need not derive it again. Written by Swift after a run has published,
-- never by a reader.

-- The range that was published and ends last: what `discrepancies`, `status` and the import of a workbook refer to
-- without --date.
create table published_range (
  first_day text collate "C" not null, last_day text collate "C" not null, starts_at bigint not null,
  ends_at bigint not null,
  newest_file bigint not null,           -- the newest landed file that had been read
  primary key (first_day, last_day)
);

-- Its discrepancies, as they were published.
create table published_discrepancy (
  discrepancy_id text collate "C" primary key, type text collate "C" not null, subject text collate "C" not null,
  severity text collate "C" not null, severity_rank bigint not null, state text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null,
  payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint, difference_minor bigint,
  since bigint not null, first_seen text collate "C" not null, last_seen text collate "C" not null,
  age_days bigint not null,
  owner text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null,
  decision text collate "C" not null, note text collate "C" not null,
  connected_account text collate "C" not null, counts bigint not null,     -- 1: counts for the verdict
  -- new persisting resolved, before any decision: a new one shows at once
  condition text collate "C" not null default 'new'
);

-- Its balances: what each began and ended with, and what moved between.
create table published_balance (
  scope text not null,                  -- platform connected
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  figure text not null,                 -- opening, a movement as in the view movement, closing
  amount_minor bigint not null,
  primary key (scope, provider, account, connected_account, currency, figure)
);

-- Records that can still change at their provider, so that the next pull asks for them again (sql/open).
create table open_record (
  provider text collate "C" not null, kind text collate "C" not null,           -- kind: the file of sql/open
  record_id text collate "C" not null,
  created_at bigint,                       -- asked for while younger than the look-back; null: however old
  primary key (provider, kind, record_id)
);

-- The settings by which each provider's lines were read: under other ones they are read again.
create table read_setting (
  source text collate "C" primary key,
  settings text collate "C" not null
);

-- Records that mention a common identifier are derived together: they have one group. This is the group of each
-- identifier, by a hash of it in small letters; two identifiers of one hash make a larger group, which is right all the
-- same.
create table identifier (
  hash bigint primary key,
  group_no bigint not null
);

-- Groups that a later record has connected: the number of the former group, and of the one that it went into.
create table merged_group (
  from_no bigint primary key,
  to_no bigint not null,
  is_relabelled bigint not null          -- 1: no record bears the former number any more
);

-- Every group, and from when to when it is alive: a range in which nothing of it happens takes what it adds to sums
-- from kept_sum.
create table record_group (
  group_no bigint primary key,
  first_at bigint,                       -- its first fact; null: not derived yet
  -- from here on nothing of it changes any more without a further record; null: not known
  settled_at bigint,
  is_touched bigint not null default 1,          -- 1: records of it have landed since it was derived
  -- while settled_at is known: what it adds to kept_sum, as KeptPart.text(of:) writes it
  part text collate "C" not null default ''
);

-- What the settled groups add up to: the terms of proofs and openings that reach back before a range.
create table kept_sum (
  settled_at bigint not null,
  -- entries before_base reserved connected rows fees fee_lines captured tender within_tolerance refunded_after_cancel
  name text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, connected_account text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  members bigint not null,               -- how many groups have a part in it
  primary key (settled_at, name, provider, account, connected_account, currency)
);

-- Every payout as it was derived last, so that payouts whose rows are settled need no derivation.
create table kept_payout (
  provider text collate "C" not null, payout_id text collate "C" not null, account text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null,
  created_at bigint not null, arrival_on text collate "C", status text collate "C" not null,
  is_itemised bigint not null,
  row_id text collate "C", failure_row_id text collate "C", failure_code text collate "C",
  bank_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, payout_id)
);

-- Every payout and every settlement batch whose rows were summed, and from when on nothing of it changes; null: not
-- known.
create table kept_payout_life (
  provider text collate "C" not null, payout_id text collate "C" not null,
  landed_file bigint not null,           -- the newest landed file of the store when it was derived
  settled_at bigint,
  primary key (payout_id, provider)          -- looked up by the payout alone, too
);

-- What the records of a provider have shown once: that it reports events, settles rows, books disputes, and the
-- accounts of its payments.
create table kept_trait (
  provider text collate "C" not null, trait text collate "C" not null, value text collate "C" not null,
  primary key (provider, trait, value)
);

-- What the kept sums were derived with: another configuration or version derives everything again.
create table derivation (signature text collate "C" primary key);

-- The closed periods whose seals count (periods.jsonl), and whether all that is derived was compared with them.
create table closed_period (
  seal text collate "C" primary key,                  -- SHA-256 of seal.json
  period text collate "C" not null,
  covers_from bigint not null,           -- what is booked from here on and before starts_at makes its opening
  starts_at bigint not null, ends_at bigint not null,
  sequence bigint not null,              -- the last number of the landing chain that it rests on
  is_compared bigint not null            -- 0: the next run derives everything, and compares all of it
);

-- What each of them holds of each record: as it was sealed, with the adjustments noted since (adjustments.jsonl).
create table sealed_movement (
  provider text collate "C" not null, row_id text collate "C" not null, seal text collate "C" not null,
  account text collate "C" not null, connected_account text collate "C" not null,
  currency text collate "C" not null,
  figure text collate "C" not null,                   -- a column of roll_forward.csv
  record_id text collate "C" not null, payment_id text collate "C" not null, order_id text collate "C" not null,
  amount_minor bigint not null,
  is_made bigint not null,               -- 1: the row is worked out at every run (sql/days), so that it can go
  primary key (provider, row_id, seal, account, connected_account, currency, figure)
);

create index sealed_movement_made on sealed_movement (seal, provider, row_id) where is_made = 1;

-- The same, summed.
create table sealed_sum (
  seal text collate "C" not null, provider text collate "C" not null, account text collate "C" not null,
  connected_account text collate "C" not null, currency text collate "C" not null,
  figure text collate "C" not null,
  amount_minor bigint not null,
  primary key (seal, provider, account, connected_account, currency, figure)
);

-- How many lines of adjustments.jsonl are in sealed_movement.
create table noted_adjustment (lines bigint primary key);
