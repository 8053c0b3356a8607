-- The balance of each account of the platform and of each connected account, at either end of the range: the first
-- statement, where there is one, and the movements since, those of settled groups in one sum. Where batches state the
-- balance, the opening balance of the first one is the first statement.
insert into balance_at (moment, scope, provider, account, connected_account, currency, amount_minor)
select m.moment, p.scope, p.provider, p.account, p.connected_account, p.currency,
  cast(sum(case when p.booked_at < m.instant then p.amount_minor else 0 end) as bigint)
from (
  select scope, provider, account, connected_account, currency, booked_at, amount_minor from movement
  union all
  select case name when 'connected' then 'connected' else 'platform' end, provider, account, connected_account,
    currency, 0, case name when 'before_base' then - amount_minor else amount_minor end
  from kept_sum_at
  where name in ('entries', 'connected', 'before_base')
  union all
  select 'platform', a.provider, a.account, '', s.currency, 0, s.amount_minor
  from balance_base a
  join stated_balance s on s.provider = a.provider and s.account = a.account and s.landed_file = a.landed_file
    and s.observed_at = a.at
  union all
  select 'platform', v.provider, v.account, '', v.currency, 0, - v.amount_minor
  from movement v
  join balance_base a on a.provider = v.provider and a.account = v.account and v.booked_at < a.at
  join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
    and (a.holds_late = 1 or l.first_landed_at <= a.pulled_at)
  where v.scope = 'platform'
  union all
  select 'platform', f.provider, f.account, '', f.currency, 0, f.opening_minor
  from (
    select b.provider, b.account, b.currency, b.opening_minor,
      row_number() over (partition by b.provider, b.account, b.currency order by b.closed_at, b.batch_id) as place
    from stated_batch b
  ) f
  where f.place = 1 and f.opening_minor is not null
  union all
  select 'platform', provider, account, '', currency, 0, net_minor from change_since_base
) p
cross join moment m
group by m.moment, p.scope, p.provider, p.account, p.connected_account, p.currency
