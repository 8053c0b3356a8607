-- The functions that both engines share: on SQLite they are registered by Storage, here they are defined.
-- proportion: amount x part / whole to the nearest unit, halves away from zero; exact (div truncates; numeric division would round twice, first to its
-- own sixteen digits), and what needs more than 64 bits ends the statement.
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
    if result < -9223372036854775808 or result > 9223372036854775807 then
      raise exception 'proportion: the result needs more than 64 bits' using errcode = 'numeric_value_out_of_range';
    end if;
    return result;
  end $$;
create or replace function least_of(a bigint, b bigint) returns bigint
  language sql immutable strict parallel safe as $$ select least(a, b) $$;
create or replace function greatest_of(a bigint, b bigint) returns bigint
  language sql immutable strict parallel safe as $$ select greatest(a, b) $$;

-- Joins texts as SQLite's group_concat does; used over an ordered window frame only, so that both engines give the same order.
create or replace function joined_step(joined text, next text, separator text) returns text
  language sql immutable parallel safe
  as $$ select case when joined is null then next when next is null then joined else joined || separator || next end $$;
create or replace aggregate group_concat(text, text) (sfunc = joined_step, stype = text);
