-- check (sql/checks): findings as the checks state them, then as published
create temp table finding (
  type text not null, moment integer not null, subject text not null,
  severity text not null,
  provider text not null, account text not null, order_id text not null,
  payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer,
  since integer not null, connected_account text not null, explanation text not null,
  suggested_action text not null,
  primary key (type, moment, subject)
) strict;

create temp table discrepancy (
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

-- What nights of the range reported as open, and what was open neither before the range nor at its end
-- (published.jsonl).
create temp table passed_discrepancy (
  discrepancy_id text primary key, type text not null, severity text not null,
  provider text not null,
  account text not null, order_id text not null, payment_id text not null,
  record_id text not null,
  currency text not null, difference_minor integer, first_seen text not null,
  last_seen text not null,
  explanation text not null
) strict;

-- prove (sql/proofs)
create temp table proof_line (
  proof text not null, ordinal integer not null, provider text not null,
  account text not null, currency text not null,
  subject text not null, label text not null, amount_minor integer not null,
  holds integer not null
) strict;

-- What of closed periods turned out otherwise since they were sealed (adjustments.jsonl), of the open period of the
-- range.
create temp table prior_period_adjustment (
  place integer primary key,                  -- of the line in the log, from 0
  period text not null, learned_at integer not null,
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  payment_id text not null, order_id text not null, record_id text not null,
  -- late_record changed_record withdrawn_record decision configuration version
  reason text not null,
  figure text not null,                   -- a column of roll_forward.csv
  before_minor integer not null, after_minor integer not null, change_minor integer not null,
  is_first_day integer not null              -- 1: the range begins where the newest closed period ends
) strict;

-- The groups that are derived, and the payouts and batches whose rows are summed: filled where a run does not derive
-- everything.
create temp table alive_group (group_no integer primary key) strict;

create temp table alive_payout (provider text not null, payout_id text not null,
  primary key (provider, payout_id)) strict;

-- Payouts and batches of which nothing changes any more: their rows were summed when they were alive, and are not all
-- derived now.
create temp table settled_payout (provider text not null, payout_id text not null,
  primary key (provider, payout_id)) strict;

-- What settled groups add to cumulative sums; empty where everything is derived.
create temp table kept_sum_at (
  name text not null, provider text not null, account text not null,
  connected_account text not null, currency text not null,
  amount_minor integer not null,
  primary key (name, provider, account, connected_account, currency)
) strict;

-- What the records of a provider have shown once (kept_trait), those of this run included.
create temp table provider_trait (
  provider text not null, trait text not null, value text not null,
  primary key (provider, trait, value)
) strict;

-- The items of the control total: each capture and each tender, with the term that carries it.
create temp table control_item (
  side text not null, provider text not null, account text not null,
  currency text not null,
  group_id text, term text, amount_minor integer not null,
  group_no integer not null
) strict;

-- What is kept of the groups that were derived: their facts, and whether anything about them is open (sql/settled).
create temp table group_fact (
  group_no integer primary key, first_at integer not null, last_at integer not null,
  known_until integer not null                -- up to where all of its sources are known
) strict;

create temp table open_group (group_no integer primary key) strict;

create temp table unfinished_group (group_no integer primary key) strict;

create temp table settled_group (
  group_no integer primary key, first_at integer not null, settled_at integer not null
) strict;

-- Balances (sql/balances): the statement that each account's balance is counted from, the balances at both ends of the
-- range, what the provider states there, and what the closing is made of.
create temp table balance_base (
  provider text not null, account text not null, landed_file integer not null,
  at integer not null,
  pulled_at integer not null,           -- by the pull that brought it
  holds_late integer not null,          -- 1: rows that are dated before it and landed later are in it
  primary key (provider, account)
) strict;

create temp table balance_at (
  moment integer not null, scope text not null,          -- platform connected
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  amount_minor integer not null,
  primary key (moment, scope, provider, account, connected_account, currency)
) strict;

create temp table stated_at (
  moment integer not null, provider text not null, account text not null,
  currency text not null,
  amount_minor integer not null,
  primary key (moment, provider, account, currency)
) strict;

create temp table range_movement (        -- what moved in the range, by column of the roll-forward
  scope text not null,
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  figure text not null, amount_minor integer not null,
  primary key (scope, provider, account, connected_account, currency, figure)
) strict;

create temp table paid_row (              -- the payout or batch that pays a row, as of the range's end
  provider text not null, row_id text not null, payout_id text not null,
  primary key (provider, row_id)
) strict, without rowid;

create temp table closing_item (
  ordinal integer primary key, scope text not null,
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  kind text not null,                   -- unsettled reserved disputed in_transit other
  payment_id text not null, order_id text not null, record_id text not null,
  amount_minor integer not null,
  since text, age_days integer          -- business day of its first entry; null where it has none of its own
) strict;
