-- What is kept of the runs so that the next one need not derive it again. Written by Swift after a run has published, never by a reader.

-- The range that was published and ends last: what `discrepancies`, `status` and the import of a workbook speak of without --date.
create table published_range (
  first_day text collate "C" not null, last_day text collate "C" not null, starts_at bigint not null, ends_at bigint not null,
  primary key (first_day, last_day)
);

-- Its discrepancies, as they were published.
create table published_discrepancy (
  discrepancy_id text collate "C" primary key, type text collate "C" not null, subject text collate "C" not null, severity text collate "C" not null, severity_rank bigint not null, state text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint, difference_minor bigint,
  since bigint not null, first_seen text collate "C" not null, last_seen text collate "C" not null, age_days bigint not null,
  owner text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null, decision text collate "C" not null, note text collate "C" not null,
  connected_account text collate "C" not null, counts bigint not null,     -- 1: counts for the verdict
  condition text collate "C" not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
);

-- Records that can still change at their provider, so that the next pull asks for them again (sql/open).
create table open_record (
  provider text collate "C" not null, kind text collate "C" not null,           -- kind: the file of sql/open
  record_id text collate "C" not null,
  created_at bigint,                       -- asked for while younger than the look-back; null: however old
  primary key (provider, kind, record_id)
);

-- Records that mention a common identifier are derived together: they have one group. This is the group of each identifier, by a hash of it in
-- small letters; two identifiers of one hash make a larger group, which is right all the same.
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

-- Every group: what its number is for, and nothing else.
create table record_group (group_no bigint primary key);
