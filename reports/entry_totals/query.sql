-- The entries of the range, summed up: read by formulas where there are more entries than a sheet may hold.
--
-- $1 is the range's first instant, $2 its end.
select
  e.provider, e.account, e.kind, e.from_party, e.to_party, e.currency,
    coalesce(e.connected_account, a.connected_accounts, '') as connected_account,
  cast(sum(e.amount_minor) as bigint) as amount_minor,
  cast(sum(case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then -e.amount_minor
    else 0 end) as bigint)
    as platform_amount_minor,
  count(*) as rows
from entry e
left join payment_members a on a.flow_key = e.flow_key
where e.booked_at >= $1 and e.booked_at < $2
group by e.provider, e.account, e.kind, e.from_party, e.to_party, e.currency,
  coalesce(e.connected_account, a.connected_accounts, '')
order by e.provider, e.account, e.currency, e.kind, e.from_party, e.to_party,
  coalesce(e.connected_account, a.connected_accounts, '')
