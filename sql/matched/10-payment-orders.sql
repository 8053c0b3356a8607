-- The orders of each payment, separated by a space where there are several.
insert into payment_orders (flow_key, order_ids)
with recursive
  claim as (
    select flow_key, order_id,
      row_number() over (partition by flow_key order by order_id) as place,
      count(*) over (partition by flow_key) as places
    from pair_at
    where moment = 1 and flow_key is not null and order_id is not null
  ),
  shared_claim as (select flow_key, order_id, place, places from claim where places > 1),
  joined (flow_key, place, places, order_ids) as (
    select flow_key, place, places, order_id from shared_claim where place = 1
    union all
    select j.flow_key, c.place, c.places, j.order_ids || ' ' || c.order_id
    from joined j
    join shared_claim c on c.flow_key = j.flow_key and c.place = j.place + 1
  ),
  paid_order as (
    select flow_key, order_id as order_ids from claim where places = 1
    union all
    select flow_key, order_ids from joined where place = places
  )
select flow_key, order_ids from paid_order
