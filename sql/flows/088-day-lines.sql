-- What a settlement day pays: the row of each movement, the API's own where the settlement row only echoes it, the fee, the rounding. Of a movement
-- that the API tells with another amount a day pays at most what the API tells: what goes beyond is money that no record explains, and the payout
-- does not add up.
insert into payout_line (provider, payout_id, row_id, currency, net_minor, landed_file, landed_line)
with paid as (                           -- each settlement row, and what the movement was paid by it and those before
  select n.provider, n.payout_id, coalesce(x.echoes_row_id, n.row_id) as row_id, n.currency, l.net_minor, n.landed_file, n.landed_line,
    coalesce(t.net_minor, l.net_minor) as told_minor,
    sum(l.net_minor) over (partition by n.provider, coalesce(x.echoes_row_id, n.row_id) order by n.settled_at, n.row_id
      rows between unbounded preceding and current row) as paid_minor
  from settled_net n
  join ledger_row l on l.provider = n.provider and l.row_id = n.row_id
  left join row_echo x on x.provider = n.provider and x.row_id = n.row_id
  left join ledger_row t on t.provider = x.provider and t.row_id = x.echoes_row_id
),
capped as (
  select provider, payout_id, row_id, currency, landed_file, landed_line,
    case
      when abs(paid_minor) <= abs(told_minor) then net_minor
      when abs(paid_minor - net_minor) < abs(told_minor) then told_minor - (paid_minor - net_minor)
      else 0
    end as net_minor
  from paid
)
select provider, payout_id, row_id, min(currency), cast(sum(net_minor) as bigint), max(landed_file), max(landed_line)
from capped
group by provider, payout_id, row_id
union all
select n.provider, n.payout_id, n.fee_row_id, n.currency, l.net_minor, n.landed_file, n.landed_line
from settled_net n
join ledger_row l on l.provider = n.provider and l.row_id = n.fee_row_id
union all
select p.provider, p.payout_id, l.row_id, l.currency, l.net_minor, l.landed_file, 0
from payout p
join ledger_row l on l.provider = p.provider and l.row_id = 'rounding:' || p.payout_id and l.category = 'settlement_rounding'
