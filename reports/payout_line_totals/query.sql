-- What each payout of the range pays, summed up: read by formulas where its rows are more than a sheet may hold.
--
-- $1 is the range's first instant, $2 its end.
select p.provider, p.payout_id, l.currency, cast(sum(l.net_minor) as bigint) as amount_minor, count(*) as rows
from payout p
join payout_row l on l.provider = p.provider and l.payout_id = p.payout_id and l.currency = p.currency
where p.created_at >= $1 and p.created_at < $2 and p.is_itemised = 1
group by p.provider, p.payout_id, l.currency
order by p.provider, p.payout_id, l.currency
