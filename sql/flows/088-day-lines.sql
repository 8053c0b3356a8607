-- What a settlement day pays: the row of each movement, the API's own where the settlement row only echoes it, the fee, the rounding.
insert into payout_line (provider, payout_id, row_id, currency, net_minor, landed_file, landed_line)
select n.provider, n.payout_id, coalesce(x.echoes_row_id, n.row_id), n.currency, l.net_minor, n.landed_file, n.landed_line
from settled_net n
join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
left join row_echo x on x.provider = n.provider and x.row_id = n.row_id
union all
select n.provider, n.payout_id, n.fee_row_id, n.currency, l.net_minor, n.landed_file, n.landed_line
from settled_net n
join ledger_row l on l.provider = n.provider and l.row_id = n.fee_row_id
union all
select p.provider, p.payout_id, l.row_id, l.currency, l.net_minor, l.landed_file, 0
from payout p
join ledger_row l on l.provider = p.provider and l.row_id = 'rounding:' || p.payout_id and l.category = 'settlement_rounding'
