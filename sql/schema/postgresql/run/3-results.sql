-- check (sql/checks): findings as the checks state them, then as published
create temp table finding (
  type text collate "C" not null, moment bigint not null, subject text collate "C" not null,
  severity text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null,
  payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint,
  since bigint not null, connected_account text collate "C" not null, explanation text collate "C" not null,
  suggested_action text collate "C" not null,
  primary key (type, moment, subject)
);

create temp table discrepancy (
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

-- What nights of the range reported as open, and what was open neither before the range nor at its end
-- (published.jsonl).
create temp table passed_discrepancy (
  discrepancy_id text collate "C" primary key, type text collate "C" not null, severity text collate "C" not null,
  provider text collate "C" not null,
  account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null,
  record_id text collate "C" not null,
  currency text collate "C" not null, difference_minor bigint, first_seen text collate "C" not null,
  last_seen text collate "C" not null,
  explanation text collate "C" not null
);

-- prove (sql/proofs)
create temp table proof_line (
  proof text collate "C" not null, ordinal bigint not null, provider text collate "C" not null,
  account text collate "C" not null, currency text collate "C" not null,
  subject text collate "C" not null, label text collate "C" not null, amount_minor bigint not null,
  holds bigint not null
);

-- What of closed periods turned out otherwise since they were sealed (adjustments.jsonl), of the open period of the
-- range.
create temp table prior_period_adjustment (
  place bigint primary key,                  -- of the line in the log, from 0
  period text collate "C" not null, learned_at bigint not null,
  provider text collate "C" not null, account text collate "C" not null, connected_account text collate "C" not null,
  currency text collate "C" not null,
  payment_id text collate "C" not null, order_id text collate "C" not null, record_id text collate "C" not null,
  -- late_record changed_record withdrawn_record decision configuration version
  reason text collate "C" not null,
  figure text collate "C" not null,                   -- a column of roll_forward.csv
  before_minor bigint not null, after_minor bigint not null, change_minor bigint not null,
  is_first_day bigint not null              -- 1: the range begins where the newest closed period ends
);

-- The groups that are derived, and the payouts and batches whose rows are summed: filled where a run does not derive
-- everything.
create temp table alive_group (group_no bigint primary key);

create temp table alive_payout (provider text collate "C" not null, payout_id text collate "C" not null,
  primary key (provider, payout_id));

-- Payouts and batches of which nothing changes any more: their rows were summed when they were alive, and are not all
-- derived now.
create temp table settled_payout (provider text collate "C" not null, payout_id text collate "C" not null,
  primary key (provider, payout_id));

-- What settled groups add to cumulative sums; empty where everything is derived.
create temp table kept_sum_at (
  name text collate "C" not null, provider text collate "C" not null, account text collate "C" not null,
  connected_account text collate "C" not null, currency text collate "C" not null,
  amount_minor bigint not null,
  primary key (name, provider, account, connected_account, currency)
);

-- What the records of a provider have shown once (kept_trait), those of this run included.
create temp table provider_trait (
  provider text collate "C" not null, trait text collate "C" not null, value text collate "C" not null,
  primary key (provider, trait, value)
);

-- The items of the control total: each capture and each tender, with the term that carries it.
create temp table control_item (
  side text collate "C" not null, provider text collate "C" not null, account text collate "C" not null,
  currency text collate "C" not null,
  group_id text collate "C", term text collate "C", amount_minor bigint not null,
  group_no bigint not null
);

-- What is kept of the groups that were derived: their facts, and whether anything about them is open (sql/settled).
create temp table group_fact (
  group_no bigint primary key, first_at bigint not null, last_at bigint not null,
  known_until bigint not null                -- up to where all of its sources are known
);

create temp table open_group (group_no bigint primary key);

create temp table unfinished_group (group_no bigint primary key);

create temp table settled_group (
  group_no bigint primary key, first_at bigint not null, settled_at bigint not null
);

-- Balances (sql/balances): the statement that each account's balance is counted from, the balances at both ends of the
-- range, what the provider states there, and what the closing is made of.
create temp table balance_base (
  provider text collate "C" not null, account text collate "C" not null, landed_file bigint not null,
  at bigint not null,
  pulled_at bigint not null,           -- by the pull that brought it
  holds_late bigint not null,          -- 1: rows that are dated before it and landed later are in it
  primary key (provider, account)
);

create temp table balance_at (
  moment bigint not null, scope text collate "C" not null,          -- platform connected
  provider text collate "C" not null, account text collate "C" not null, connected_account text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  primary key (moment, scope, provider, account, connected_account, currency)
);

create temp table stated_at (
  moment bigint not null, provider text collate "C" not null, account text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  primary key (moment, provider, account, currency)
);

create temp table range_movement (        -- what moved in the range, by column of the roll-forward
  scope text not null,
  provider text not null, account text not null, connected_account text not null,
  currency text not null,
  figure text not null, amount_minor bigint not null,
  primary key (scope, provider, account, connected_account, currency, figure)
);

create temp table paid_row (              -- the payout or batch that pays a row, as of the range's end
  provider text collate "C" not null, row_id text collate "C" not null, payout_id text collate "C" not null,
  primary key (provider, row_id)
);

create temp table closing_item (
  ordinal bigint primary key, scope text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, connected_account text collate "C" not null,
  currency text collate "C" not null,
  kind text collate "C" not null,                   -- unsettled reserved disputed in_transit other
  payment_id text collate "C" not null, order_id text collate "C" not null, record_id text collate "C" not null,
  amount_minor bigint not null,
  since text collate "C", age_days bigint          -- business day of its first entry; null where it has none of its own
);
