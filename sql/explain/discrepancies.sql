-- What the checks say of a payment, an order or a payout. $1: payment id or '-', $2: order or '-', $3: payout or '-'.
select d.discrepancy_id, d.type, d.severity, d.state, d.first_seen, d.explanation, d.suggested_action
from discrepancy d
where replace(' ' || d.payment_id || ' ', ' ' || $1 || ' ', '') <> ' ' || d.payment_id || ' '
  or replace(' ' || d.order_id || ' ', ' ' || $2 || ' ', '') <> ' ' || d.order_id || ' '
  or replace(' ' || d.record_id || ' ', ' ' || $3 || ' ', '') <> ' ' || d.record_id || ' '
order by d.severity_rank desc, d.type, d.discrepancy_id
