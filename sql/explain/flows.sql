-- What every party has of a payment at the range's end. $1: flow_key.
select f.currency, f.gross_minor, f.platform_net_minor, f.connected_net_minor, f.customer_net_minor,
  f.provider_net_minor, f.other_net_minor
from flow f
where f.moment = 1 and f.flow_key = $1
order by f.currency
