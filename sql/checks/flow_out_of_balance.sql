-- The entries of payment {payment_id} leave the platform with {actual}; the provider's own rows say {expected}.
--
-- Why it matters: a row was posted wrongly, twice or not at all: a defect in Crossfoot or in the source, and no figure of this payment holds.
-- What clears it: a corrected posting rule, or the provider's corrected row.
-- Suggested action: Run explain on the payment, compare its rows with its entries, and report the defect.
-- Severity: critical
-- Rests on: ledger
with posted as (                       -- what the entries make of each ledger row, and for which payment
  select e.provider, e.row_id, e.payment_id, e.currency, min(e.booked_at) as booked_at, min(e.account) as account,
    cast(sum(case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor else 0 end) as bigint) as net_minor
  from entry e
  where e.payment_id is not null
  group by e.provider, e.row_id, e.payment_id, e.currency
),
deviation as (                         -- rows that were posted otherwise than the provider states them, or elsewhere, or not at all
  select d.provider, d.row_id, d.payment_id, d.currency, d.account, d.booked_at, d.net_minor as posted_minor, 0 as stated_minor
  from posted d
  left join row_link k on k.provider = d.provider and k.row_id = d.row_id
  left join ledger_row l on l.provider = d.provider and l.row_id = d.row_id
  where l.row_id is null or k.payment_id is null or k.payment_id <> d.payment_id or l.currency <> d.currency or l.net_minor <> d.net_minor
    or l.booked_at <> d.booked_at
  union all
  select l.provider, l.row_id, k.payment_id, l.currency, l.account, l.booked_at, 0, l.net_minor
  from row_link k
  join ledger_row l on l.provider = k.provider and l.row_id = k.row_id
  left join posted d on d.provider = k.provider and d.row_id = k.row_id and d.payment_id = k.payment_id and d.currency = l.currency
  where k.payment_id is not null and (coalesce(d.net_minor, 0) <> l.net_minor or coalesce(d.booked_at, l.booked_at) <> l.booked_at)
),
unbalanced as (
  select m.moment, v.provider, v.payment_id, v.currency, min(v.account) as account, max(v.booked_at) as since, min(v.row_id) as row_id,
    cast(sum(v.posted_minor) as bigint) as posted_minor, cast(sum(v.stated_minor) as bigint) as stated_minor
  from deviation v
  join moment m on v.booked_at < m.instant
  group by m.moment, v.provider, v.payment_id, v.currency
  having sum(v.posted_minor) <> sum(v.stated_minor)
),
total as (                             -- what all entries of these payments leave the platform with
  select u.moment, u.provider, u.payment_id, u.currency,
    cast(coalesce(sum(case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor end), 0) as bigint) as net_minor
  from unbalanced u
  join moment m on m.moment = u.moment
  left join entry e on e.flow_key = u.provider || ':' || u.payment_id and e.currency = u.currency and e.booked_at < m.instant
  group by u.moment, u.provider, u.payment_id, u.currency
)
select u.moment, u.provider || ':' || u.payment_id || ' ' || u.currency as subject, u.provider, u.account, coalesce(g.order_ids, '') as order_id,
  u.payment_id, u.row_id as record_id, u.currency, t.net_minor - u.posted_minor + u.stated_minor as expected_minor, t.net_minor as actual_minor,
  u.since, '' as connected_account
from unbalanced u
join total t on t.moment = u.moment and t.provider = u.provider and t.payment_id = u.payment_id and t.currency = u.currency
left join payment p on p.provider = u.provider and p.payment_id = u.payment_id
left join match_node n on n.node = 'p:' || p.flow_key
left join group_at g on g.moment = u.moment and g.group_id = n.group_id
order by u.moment, u.provider, u.payment_id, u.currency
