-- What is kept of the runs so that the next one need not derive it again. Written by Swift after a run has published,
-- never by a reader.

-- The range that was published and ends last: what `discrepancies`, `status` and the import of a workbook refer to
-- without --date.
create table published_range (
  first_day text not null, last_day text not null, starts_at integer not null,
  ends_at integer not null,
  newest_file integer not null,           -- the newest landed file that had been read
  primary key (first_day, last_day)
) strict;

-- Its discrepancies, as they were published.
create table published_discrepancy (
  discrepancy_id text primary key, type text not null, subject text not null,
  severity text not null, severity_rank integer not null, state text not null,
  provider text not null, account text not null, order_id text not null,
  payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer, difference_minor integer,
  since integer not null, first_seen text not null, last_seen text not null,
  age_days integer not null,
  owner text not null, explanation text not null, suggested_action text not null,
  decision text not null, note text not null,
  connected_account text not null, counts integer not null,     -- 1: counts for the verdict
  -- new persisting resolved, before any decision: a new one shows at once
  condition text not null default 'new'
) strict;

-- Its balances: what each began and ended with, and what moved between.
create table published_balance (
  scope text not null,                  -- platform connected
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  figure text not null,                 -- opening, a movement as in the view movement, closing
  amount_minor integer not null,
  primary key (scope, provider, account, connected_account, currency, figure)
) strict;

-- Records that can still change at their provider, so that the next pull asks for them again (sql/open).
create table open_record (
  provider text not null, kind text not null,           -- kind: the file of sql/open
  record_id text not null,
  created_at integer,                       -- asked for while younger than the look-back; null: however old
  primary key (provider, kind, record_id)
) strict, without rowid;

-- The settings by which each provider's lines were read: under other ones they are read again.
create table read_setting (
  source text primary key,
  settings text not null
) strict;

-- Records that mention a common identifier are derived together: they have one group. This is the group of each
-- identifier, by a hash of it in small letters; two identifiers of one hash make a larger group, which is right all the
-- same.
create table identifier (
  hash integer primary key,
  group_no integer not null
) strict;

-- Groups that a later record has connected: the number of the former group, and of the one that it went into.
create table merged_group (
  from_no integer primary key,
  to_no integer not null,
  is_relabelled integer not null          -- 1: no record bears the former number any more
) strict;

-- Every group, and from when to when it is alive: a range in which nothing of it happens takes what it adds to sums
-- from kept_sum.
create table record_group (
  group_no integer primary key,
  first_at integer,                       -- its first fact; null: not derived yet
  -- from here on nothing of it changes any more without a further record; null: not known
  settled_at integer,
  is_touched integer not null default 1,          -- 1: records of it have landed since it was derived
  -- while settled_at is known: what it adds to kept_sum, as KeptPart.text(of:) writes it
  part text not null default ''
) strict;

-- What the settled groups add up to: the terms of proofs and openings that reach back before a range.
create table kept_sum (
  settled_at integer not null,
  -- entries before_base reserved connected rows fees fee_lines captured tender within_tolerance refunded_after_cancel
  name text not null,
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  amount_minor integer not null,
  members integer not null,               -- how many groups have a part in it
  primary key (settled_at, name, provider, account, connected_account, currency)
) strict;

-- Every payout as it was derived last, so that payouts whose rows are settled need no derivation.
create table kept_payout (
  provider text not null, payout_id text not null, account text not null,
  currency text not null, amount_minor integer not null,
  created_at integer not null, arrival_on text, status text not null,
  is_itemised integer not null,
  row_id text, failure_row_id text, failure_code text,
  bank_reference text,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, payout_id)
) strict;

-- Every payout and every settlement batch whose rows were summed, and from when on nothing of it changes; null: not
-- known.
create table kept_payout_life (
  provider text not null, payout_id text not null,
  landed_file integer not null,           -- the newest landed file of the store when it was derived
  settled_at integer,
  primary key (payout_id, provider)          -- looked up by the payout alone, too
) strict;

-- What the records of a provider have shown once: that it reports events, settles rows, books disputes, and the
-- accounts of its payments.
create table kept_trait (
  provider text not null, trait text not null, value text not null,
  primary key (provider, trait, value)
) strict;

-- What the kept sums were derived with: another configuration or version derives everything again.
create table derivation (signature text primary key) strict;

-- The closed periods whose seals count (periods.jsonl), and whether all that is derived was compared with them.
create table closed_period (
  seal text primary key,                  -- SHA-256 of seal.json
  period text not null,
  covers_from integer not null,           -- what is booked from here on and before starts_at makes its opening
  starts_at integer not null, ends_at integer not null,
  sequence integer not null,              -- the last number of the landing chain that it rests on
  is_compared integer not null            -- 0: the next run derives everything, and compares all of it
) strict;

-- What each of them holds of each record: as it was sealed, with the adjustments noted since (adjustments.jsonl).
create table sealed_movement (
  provider text not null, row_id text not null, seal text not null,
  account text not null, connected_account text not null,
  currency text not null,
  figure text not null,                   -- a column of roll_forward.csv
  record_id text not null, payment_id text not null, order_id text not null,
  amount_minor integer not null,
  is_made integer not null,               -- 1: the row is worked out at every run (sql/days), so that it can go
  primary key (provider, row_id, seal, account, connected_account, currency, figure)
) strict;

create index sealed_movement_made on sealed_movement (seal, provider, row_id) where is_made = 1;

-- The same, summed.
create table sealed_sum (
  seal text not null, provider text not null, account text not null,
  connected_account text not null, currency text not null,
  figure text not null,
  amount_minor integer not null,
  primary key (seal, provider, account, connected_account, currency, figure)
) strict;

-- How many lines of adjustments.jsonl are in sealed_movement.
create table noted_adjustment (lines integer primary key) strict;
