-- The proofs in one line each per account and currency: how many lines it has, and how many of them do not hold.
select proof, provider, account, currency, count(*) as lines, cast(sum(1 - holds) as bigint) as failing
from proof_line
group by proof, provider, account, currency
order by proof, provider, account, currency
