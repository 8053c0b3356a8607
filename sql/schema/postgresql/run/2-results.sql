-- check (sql/checks): findings as the checks state them, then as published
create temp table finding (
  type text collate "C" not null, moment bigint not null, subject text collate "C" not null,
  severity text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint,
  since bigint not null, connected_account text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null,
  primary key (type, moment, subject)
);

create temp table discrepancy (
  discrepancy_id text collate "C" primary key, type text collate "C" not null, subject text collate "C" not null, severity text collate "C" not null, severity_rank bigint not null, state text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint, difference_minor bigint,
  since bigint not null, first_seen text collate "C" not null, last_seen text collate "C" not null, age_days bigint not null,
  owner text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null, decision text collate "C" not null, note text collate "C" not null,
  connected_account text collate "C" not null, counts bigint not null,     -- 1: counts for the verdict
  condition text collate "C" not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
);

-- prove (sql/proofs)
create temp table proof_line (
  proof text collate "C" not null, ordinal bigint not null, provider text collate "C" not null, account text collate "C" not null, currency text collate "C" not null,
  subject text collate "C" not null, label text collate "C" not null, amount_minor bigint not null, holds bigint not null
);
