-- What is kept of the runs so that the next one need not derive it again. Written by Swift after a run has published, never by a reader.

-- The range that was published and ends last: what `discrepancies`, `status` and the import of a workbook speak of without --date.
create table published_range (
  first_day text not null, last_day text not null, starts_at integer not null, ends_at integer not null,
  primary key (first_day, last_day)
) strict;

-- Its discrepancies, as they were published.
create table published_discrepancy (
  discrepancy_id text primary key, type text not null, subject text not null, severity text not null, severity_rank integer not null, state text not null,
  provider text not null, account text not null, order_id text not null, payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer, difference_minor integer,
  since integer not null, first_seen text not null, last_seen text not null, age_days integer not null,
  owner text not null, explanation text not null, suggested_action text not null, decision text not null, note text not null,
  connected_account text not null, counts integer not null,     -- 1: counts for the verdict
  condition text not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
) strict;

-- Records that can still change at their provider, so that the next pull asks for them again (sql/open).
create table open_record (
  provider text not null, kind text not null,           -- kind: the file of sql/open
  record_id text not null,
  created_at integer,                       -- asked for while younger than the look-back; null: however old
  primary key (provider, kind, record_id)
) strict, without rowid;

-- Records that mention a common identifier are derived together: they have one group. This is the group of each identifier, by a hash of it in
-- small letters; two identifiers of one hash make a larger group, which is right all the same.
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

-- Every group: what its number is for, and nothing else.
create table record_group (group_no integer primary key) strict;
