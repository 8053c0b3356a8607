-- The entries of {whole} give the platform a net of {actual}; the provider's own rows give {expected}.
--
-- Why it matters: a row was posted wrongly, twice or not at all: a defect in Crossfoot or in the source, and every
-- figure that contains it is unreliable.
-- What clears it: a corrected posting rule, or the provider's corrected row.
-- Suggested action: Run explain on it, compare its rows with its entries, and report the defect.
-- Severity: critical
-- Rests on: nothing
-- Also reads: ledger

-- Payment by payment, and row by row where a row belongs to no payment (lone_row: payouts, fees of the account,
-- adjustments).
with effect as (                       -- what entries take to the platform, less what the provider's rows say; the
                                       -- rows' path knows no posting rule
  select e.provider, coalesce(e.payment_id, '') as payment_id,
    case when e.payment_id is null then e.row_id else '' end as lone_row,
    e.currency, e.booked_at,
    case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor
      else 0 end as amount_minor
  from entry e
  union all
  select l.provider, coalesce(k.payment_id, ''), case when k.payment_id is null then l.row_id else '' end, l.currency,
    l.booked_at,
    - l.net_minor
  from booked_row l
  left join row_link k on k.provider = l.provider and k.row_id = l.row_id
),
suspect as (
  select e.provider, e.payment_id, e.lone_row, e.currency,
    cast(sum(case when e.booked_at < s.instant then e.amount_minor else 0 end) as bigint) as start_minor,
    cast(sum(case when e.booked_at < m.instant then e.amount_minor else 0 end) as bigint) as end_minor
  from effect e
  join moment s on s.moment = 0
  join moment m on m.moment = 1
  group by e.provider, e.payment_id, e.lone_row, e.currency
  having sum(case when e.booked_at < s.instant then e.amount_minor else 0 end) <> 0
    or sum(case when e.booked_at < m.instant then e.amount_minor else 0 end) <> 0
),
unbalanced as (
  select m.moment, m.instant, u.provider, u.payment_id, u.lone_row, u.currency
  from suspect u
  join moment m on case m.moment when 0 then u.start_minor else u.end_minor end <> 0
),
posted as (
  select u.moment, u.provider, u.payment_id, u.lone_row, u.currency, e.row_id, e.booked_at, e.account,
    case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor
      else 0 end as posted_minor,
      0 as stated_minor
  from unbalanced u
  join entry e on e.flow_key = u.provider || ':' || u.payment_id and e.currency = u.currency and e.booked_at < u.instant
  where u.lone_row = ''
  union all
  select u.moment, u.provider, u.payment_id, u.lone_row, u.currency, e.row_id, e.booked_at, e.account,
    case when e.to_party = 'platform' then e.amount_minor when e.from_party = 'platform' then - e.amount_minor
      else 0 end, 0
  from unbalanced u
  join entry e on e.provider = u.provider and e.row_id = u.lone_row and e.currency = u.currency
    and e.booked_at < u.instant
  where u.lone_row <> ''
  union all
  select u.moment, u.provider, u.payment_id, u.lone_row, u.currency, l.row_id, l.booked_at, l.account, 0, l.net_minor
  from row_link k
  join unbalanced u on u.provider = k.provider and u.payment_id = k.payment_id
  join booked_row l on l.provider = k.provider and l.row_id = k.row_id and l.currency = u.currency
    and l.booked_at < u.instant
  union all
  select u.moment, u.provider, u.payment_id, u.lone_row, u.currency, l.row_id, l.booked_at, l.account, 0, l.net_minor
  from unbalanced u
  join booked_row l on l.provider = u.provider and l.row_id = u.lone_row and l.currency = u.currency
    and l.booked_at < u.instant
  where u.lone_row <> ''
),
by_row as (                            -- the rows that do not agree
  select moment, provider, payment_id, lone_row, currency, row_id, min(booked_at) as booked_at, min(account) as account,
    cast(sum(posted_minor) as bigint) as posted_minor, cast(sum(stated_minor) as bigint) as stated_minor
  from posted
  group by moment, provider, payment_id, lone_row, currency, row_id
),
judged as (
  select moment, provider, payment_id, lone_row, currency, min(account) as account,
    cast(sum(posted_minor) as bigint) as posted_minor,
    cast(sum(stated_minor) as bigint) as stated_minor, max(case
      when posted_minor <> stated_minor then booked_at end) as booked_at,
    min(case when posted_minor <> stated_minor then row_id end) as row_id
  from by_row
  group by moment, provider, payment_id, lone_row, currency
)
select j.moment, j.provider || ':' || j.payment_id || j.lone_row || ' ' || j.currency as subject, j.provider, j.account,
  coalesce(g.order_ids, '') as order_id, j.payment_id, j.row_id as record_id, j.currency,
    j.stated_minor as expected_minor,
  j.posted_minor as actual_minor, j.booked_at as since, '' as connected_account,
  case when j.lone_row = '' then 'payment ' || j.payment_id else 'ledger row ' || j.lone_row end as whole
from judged j
left join payment p on p.provider = j.provider and p.payment_id = j.payment_id
left join match_node n on n.node = 'p:' || p.flow_key
left join group_at g on g.moment = j.moment and g.group_id = n.group_id
order by j.moment, j.provider, j.payment_id, j.lone_row, j.currency
