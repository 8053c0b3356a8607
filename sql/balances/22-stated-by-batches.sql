-- What a provider states at either end of the range, where its batches state the balance: the closing balance of the
-- newest batch before it, with what lies before the moment and is of a later batch, less what is of a batch up to that
-- one and happened later. Before the first batch it is what that one began with.
insert into stated_at (moment, provider, account, currency, amount_minor)
with stated as (
  select moment, instant, provider, account, currency,
    case when closed_at < instant then closed_at else -1 end as closed_at,
    case when closed_at < instant then closing_minor else opening_minor end as amount_minor
  from (
    select m.moment, m.instant, b.provider, b.account, b.currency, b.closed_at, b.opening_minor, b.closing_minor,
      row_number() over (partition by m.moment, b.provider, b.account, b.currency
        order by case when b.closed_at < m.instant then - b.closed_at else b.closed_at end, b.batch_id) as place
    from stated_batch b
    cross join moment m
  ) b
  where place = 1
),
row_of as (                            -- of every batch, its summary may be still to come; a payout is one of its rows
  select b.provider, b.batch_id, b.closed_at, r.row_id
  from settlement_batch b
  join payout_row r on r.provider = b.provider and r.payout_id = b.batch_id
  union
  select b.provider, b.batch_id, b.closed_at, p.row_id
  from settlement_batch b
  join payout p on p.provider = b.provider and p.payout_id = b.batch_id
  where p.row_id is not null
),
moved as (
  select s.moment, s.provider, s.account, s.currency,
    cast(sum(case when v.booked_at < s.instant then v.amount_minor else - v.amount_minor end) as bigint)
      as amount_minor
  from stated s
  join movement v on v.scope = 'platform' and v.provider = s.provider and v.account = s.account
    and v.currency = s.currency
  join row_of r on r.provider = v.provider and r.row_id = v.row_id
    and (v.booked_at < s.instant and r.closed_at > s.closed_at
      or v.booked_at >= s.instant and r.closed_at <= s.closed_at)
  group by s.moment, s.provider, s.account, s.currency
)
select s.moment, s.provider, s.account, s.currency, s.amount_minor + coalesce(v.amount_minor, 0)
from stated s
join known k on k.source = s.provider and k.subject = 'ledger' and k.is_complete = 1
left join moved v on v.moment = s.moment and v.provider = s.provider and v.account = s.account
  and v.currency = s.currency
where s.amount_minor is not null
