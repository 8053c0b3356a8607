-- The functions that both engines share: on SQLite they are registered by Storage, here they are defined.
-- proportion: amount x part / whole to the nearest unit, halves away from zero; exact in numeric, an overflow ends the statement.
create or replace function proportion(amount bigint, part bigint, whole bigint) returns bigint
  language sql immutable strict
  as $$ select cast(round(cast(amount as numeric) * part / whole) as bigint) $$;
create or replace function least_of(a bigint, b bigint) returns bigint language sql immutable strict as $$ select least(a, b) $$;
create or replace function greatest_of(a bigint, b bigint) returns bigint language sql immutable strict as $$ select greatest(a, b) $$;

-- Joins texts as SQLite's group_concat does; used over an ordered window frame only, so that both engines give the same order.
create or replace function joined_step(joined text, next text, separator text) returns text language sql immutable
  as $$ select case when joined is null then next when next is null then joined else joined || separator || next end $$;
create or replace aggregate group_concat(text, text) (sfunc = joined_step, stype = text);
