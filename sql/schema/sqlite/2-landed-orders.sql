-- The internal orders as their sources deliver them, with what names their payments, and their refunds.

create table customer_order (           -- the internal order (order is a word of SQL)
  order_id text primary key, source text not null,
  placed_at integer not null, status text not null, currency text not null,
  total_minor integer not null, tender_minor integer not null,
  provider text, seller_account text, application_fee_minor integer,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,           -- what it is derived with: record_group
  changed_in integer not null default 0         -- the landed file that said something new of it last
) strict;

create table order_payment_reference (
  order_id text not null, value text not null,
  landed_file integer not null default 0,            -- as in reference
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (order_id, value)
) strict, without rowid;

create table order_refund (
  refund_id text primary key, source text not null, order_id text not null,
  refunded_at integer not null, currency text not null, amount_minor integer not null,
  payment_reference text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,           -- what it is derived with: record_group
  changed_in integer not null default 0         -- the landed file that said something new of it last
) strict;
