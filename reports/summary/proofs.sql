-- The proofs that speak of a whole account: their terms in order, and whether they hold; and every line of another proof that does not.
select proof, provider, account, currency, subject, label, amount_minor, holds
from proof_line
where subject = '' or holds = 0
order by proof, provider, account, currency, ordinal, subject, label
limit 500
