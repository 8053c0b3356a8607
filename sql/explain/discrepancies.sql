-- What the checks say. $1: payment id, $2: order, $3: record, $4: connected account, $5: account, $7: discrepancy; '-'
-- where not asked for. $6: the provider, '' for any.
select d.discrepancy_id, d.type, d.severity, d.state, d.first_seen, d.explanation, d.suggested_action
from discrepancy d
where ($6 = '' or d.provider = $6 or d.provider = '') and (
  replace(' ' || d.payment_id || ' ', ' ' || $1 || ' ', '') <> ' ' || d.payment_id || ' '
  or replace(' ' || d.order_id || ' ', ' ' || $2 || ' ', '') <> ' ' || d.order_id || ' '
  or replace(' ' || d.record_id || ' ', ' ' || $3 || ' ', '') <> ' ' || d.record_id || ' '
  or replace(' ' || d.connected_account || ' ', ' ' || $4 || ' ', '') <> ' ' || d.connected_account || ' '
  or d.account = $5 or d.discrepancy_id = $7)
order by d.severity_rank desc, d.type, d.discrepancy_id
