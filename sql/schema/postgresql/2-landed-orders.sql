-- The internal orders as their sources deliver them, with what names their payments, and their refunds.

create table customer_order (           -- the internal order (order is a word of SQL)
  order_id text collate "C" primary key, source text collate "C" not null,
  placed_at bigint not null, status text collate "C" not null, currency text collate "C" not null,
  total_minor bigint not null, tender_minor bigint not null,
  provider text collate "C", seller_account text collate "C", application_fee_minor bigint,
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,           -- what it is derived with: record_group
  changed_in bigint not null default 0         -- the landed file that said something new of it last
);

create table order_payment_reference (
  order_id text collate "C" not null, value text collate "C" not null,
  landed_file bigint not null default 0,            -- as in reference
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (order_id, value)
);

create table order_refund (
  refund_id text collate "C" primary key, source text collate "C" not null, order_id text collate "C" not null,
  refunded_at bigint not null, currency text collate "C" not null, amount_minor bigint not null,
  payment_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,           -- what it is derived with: record_group
  changed_in bigint not null default 0         -- the landed file that said something new of it last
);
