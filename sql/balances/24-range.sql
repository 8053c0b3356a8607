-- What moved in the range, on each balance and under each column of the roll-forward.
insert into range_movement (scope, provider, account, connected_account, currency, figure, amount_minor)
select v.scope, v.provider, v.account, v.connected_account, v.currency, v.figure,
  cast(sum(v.amount_minor) as bigint)
from movement v
join moment o on o.moment = 0
join moment c on c.moment = 1
where v.booked_at >= o.instant and v.booked_at < c.instant
group by v.scope, v.provider, v.account, v.connected_account, v.currency, v.figure
