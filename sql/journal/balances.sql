-- What the provider stated that it holds for the platform (money set aside stands with `other`), brought to the range's end by the movements
-- between: the newest statement. $1 is the range's end.
with statement as (
  select b.provider, b.account, b.currency, b.amount_minor - b.withheld_minor as amount_minor, b.observed_at,
    row_number() over (partition by b.provider, b.account, b.currency order by b.observed_at desc, b.landed_file desc) as place
  from stated_balance b
  where b.is_settled = 1
)
select s.provider, s.account, 'platform' as party, s.currency,
  s.amount_minor - cast(coalesce(sum(case
    when l.booked_at >= $1 and l.booked_at < s.observed_at then l.net_minor
    when l.booked_at < $1 and l.booked_at >= s.observed_at then - l.net_minor
    else 0 end), 0) as bigint) as amount_minor
from statement s
left join booked_row l on l.provider = s.provider and l.account = s.account and l.currency = s.currency
where s.place = 1
group by s.provider, s.account, s.currency, s.amount_minor
order by s.provider, s.account, s.currency
