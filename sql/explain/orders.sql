-- An order, its refunds, and the calls by which its payment was started, in time order. $1: the order.
select s.happened_at, s.kind, s.record_id, s.currency, s.amount_minor, s.word, f.path, s.landed_line
from (
  select o.placed_at as happened_at, 'order' as kind, o.order_id as record_id, o.currency,
    o.tender_minor as amount_minor,
    o.status || coalesce(', seller ' || o.seller_account, '') as word, o.landed_file, o.landed_line
  from customer_order o where o.order_id = $1
  union all
  select r.refunded_at, 'order refund', r.refund_id, r.currency, r.amount_minor,
    coalesce('names ' || r.payment_reference, ''), r.landed_file, r.landed_line
  from order_refund r where r.order_id = $1
  union all
  select c.at, c.call, c.init_hash, c.currency, c.amount_minor,
    case c.asks_approval when 1 then 'asks for an approval' else '' end, c.landed_file, c.landed_line
  from order_hash h join payment_init_call c on c.init_hash = h.init_hash where h.order_id = $1
) s
left join landed_file f on f.file_id = s.landed_file
order by s.happened_at, s.kind, s.record_id, coalesce(s.landed_file, 0), coalesce(s.landed_line, 0), s.word
