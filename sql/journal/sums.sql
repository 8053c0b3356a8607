-- What the entries of a time add up to for the platform at each provider, and for each connected account. $1 is its
-- first instant, $2 its end.
select p.provider, p.account, p.party, p.currency, cast(sum(p.amount_minor) as bigint) as amount_minor
from (
  select e.provider, e.account, e.to_party as party, e.currency,
    e.amount_minor from entry e where e.booked_at >= $1 and e.booked_at < $2
  union all
  select e.provider, e.account, e.from_party, e.currency,
    - e.amount_minor from entry e where e.booked_at >= $1 and e.booked_at < $2
) p
where p.party = 'platform' or substr(p.party, 1, 10) = 'connected:'
group by p.provider, p.account, p.party, p.currency
order by p.provider, p.account, p.party, p.currency
