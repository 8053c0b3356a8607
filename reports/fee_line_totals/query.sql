-- The fee lines of the range, summed up: read by formulas where there are more lines than a sheet may hold.
--
-- $1 is the range's first instant, $2 its end.
select l.provider, coalesce(p.method, '') as method, l.fee_type, l.currency,
  cast(sum(l.amount_minor) as bigint) as amount_minor, count(*) as rows
from fee_line l
left join payment p on p.provider = l.provider and p.payment_id = l.payment_id
where l.booked_at >= $1 and l.booked_at < $2
group by l.provider, coalesce(p.method, ''), l.fee_type, l.currency
order by l.provider, l.currency, coalesce(p.method, ''), l.fee_type
