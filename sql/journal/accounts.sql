-- Every party, account and currency that the entries of a range, or what was before it, are about. $1 is the range's
-- end.
select p.provider, p.account, p.party, p.currency
from (
  select e.provider, e.account, e.from_party as party, e.currency from entry e where e.booked_at < $1
  union
  select e.provider, e.account, e.to_party, e.currency from entry e where e.booked_at < $1
) p
order by p.provider, p.account, p.party, p.currency
