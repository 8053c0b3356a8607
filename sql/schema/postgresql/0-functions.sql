-- The functions that both engines share: on SQLite they are registered by Storage, here they are defined.
-- proportion: amount x part / whole to the nearest unit, halves away from zero; exact (div truncates; numeric division
-- would round twice, first to its own sixteen digits). What is beyond 10^18 is 10^18: a thousand times any amount that
-- was read, so that it equals none, and sums with it fit 64 bits.
create or replace function proportion(amount bigint, part bigint, whole bigint) returns bigint
  language plpgsql immutable strict parallel safe
  as $$
  declare
    product numeric := cast(amount as numeric) * part;
    divisor numeric := abs(cast(whole as numeric));
    result numeric;
  begin
    if divisor = 0 then
      raise exception 'proportion: division by zero' using errcode = 'division_by_zero';
    end if;
    result := sign(product * whole) * div(2 * abs(product) + divisor, 2 * divisor);
    return least(greatest(result, -1000000000000000000), 1000000000000000000);
  end $$;
create or replace function least_of(a bigint, b bigint) returns bigint
  language sql immutable strict parallel safe as $$ select least(a, b) $$;
create or replace function greatest_of(a bigint, b bigint) returns bigint
  language sql immutable strict parallel safe as $$ select greatest(a, b) $$;

-- Joins texts as SQLite's group_concat does; used over an ordered window frame only, so that both engines give the same
-- order.
create or replace function joined_step(joined text, next text, separator text) returns text
  language sql immutable parallel safe
  as $$ select case when joined is null then next when next is null then joined else joined || separator || next end $$;
create or replace aggregate group_concat(text, text) (sfunc = joined_step, stype = text);
