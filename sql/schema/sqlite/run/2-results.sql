-- check (sql/checks): findings as the checks state them, then as published
create temp table finding (
  type text not null, moment integer not null, subject text not null,
  severity text not null,
  provider text not null, account text not null, order_id text not null, payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer,
  since integer not null, connected_account text not null, explanation text not null, suggested_action text not null,
  primary key (type, moment, subject)
) strict;

create temp table discrepancy (
  discrepancy_id text primary key, type text not null, subject text not null, severity text not null, severity_rank integer not null, state text not null,
  provider text not null, account text not null, order_id text not null, payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer, difference_minor integer,
  since integer not null, first_seen text not null, last_seen text not null, age_days integer not null,
  owner text not null, explanation text not null, suggested_action text not null, decision text not null, note text not null,
  connected_account text not null, counts integer not null,     -- 1: counts for the verdict
  condition text not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
) strict;

-- prove (sql/proofs)
create temp table proof_line (
  proof text not null, ordinal integer not null, provider text not null, account text not null, currency text not null,
  subject text not null, label text not null, amount_minor integer not null, holds integer not null
) strict;
