-- What the balance at the range's end is made of. Where a provider says which rows a payout pays, every payment and
-- record that none has paid is an item, as are payouts that their rows do not balance; what a dispute or a reserve
-- holds is one anywhere. Where batches state the balance, what the newest one leaves over is one. What nobody can
-- itemise (the balance that the first statement began with, what payouts without lines took, the balance of a connected
-- account) is one item, other, so that the items add up to the balance.
--
-- Items are named from the first payout with lines since the last one without, less the longest deadline: what is older
-- was paid by something that has no lines; of what lies before coverage nobody knows whether it was paid. $1: that
-- deadline, seconds.
with own as (                               -- the rows of a payout itself
  select o.provider, o.row_id, min(o.payout_id) as payout_id, max(o.is_itemised) as is_itemised
  from (
    select provider, row_id, payout_id, is_itemised from payout where row_id is not null
    union all
    select provider, failure_row_id, payout_id, is_itemised from payout where failure_row_id is not null
    union all
    select s.provider, s.row_id, s.payout_id, p.is_itemised
    from payout_step s
    join payout p on p.provider = s.provider and p.payout_id = s.payout_id
    where s.row_id is not null
  ) o
  group by o.provider, o.row_id
),
bare as (                              -- the newest payout without lines of each account
  select p.provider, p.account, max(case when p.is_itemised = 0 then p.created_at end) as bare_at
  from payout p
  join moment m on m.moment = 1 and p.created_at < m.instant
  group by p.provider, p.account
),
horizon as (
  select b.provider, b.account, min(p.created_at) - $1 as since
  from bare b
  join payout p on p.provider = b.provider and p.account = b.account and p.is_itemised = 1
    and p.created_at > coalesce(b.bare_at, -1)
  join moment m on m.moment = 1 and p.created_at < m.instant
  group by b.provider, b.account
),
part as (
  select v.provider, v.account, v.currency, v.amount_minor, v.booked_at, v.payment_id, v.record_id, v.flow_key, v.kind,
    case
      when s.batch_id is not null then 'carried'
      when f.row_id is not null then 'payout'
      when w.row_id is not null and w.is_itemised = 1 then 'payout'
      when w.row_id is not null then 'bare'
      when v.figure = 'paid_out' then 'bare'
      when v.figure = 'reserves' then 'reserved'
      when v.figure = 'disputed' and exists (
        select 1 from dispute_at d
        where d.moment = 1 and d.status in ('inquiry', 'open') and d.provider = v.provider
          and d.payment_id = v.payment_id) then 'disputed'
      else 'unsettled'
    end as what, coalesce(f.payout_id, w.payout_id) as payout_id
  from movement v
  join moment m on m.moment = 1 and v.booked_at < m.instant
  left join paid_row f on f.provider = v.provider and f.row_id = v.row_id
  left join own w on w.provider = v.provider and w.row_id = v.row_id
  left join stated_batch s on s.provider = v.provider and s.batch_id = coalesce(f.payout_id, w.payout_id)
    and s.currency = v.currency
  where v.scope = 'platform'
),
left_over as (                         -- what each batch left, the newest first
  select b.provider, b.account, b.batch_id, b.closed_at, b.currency, b.closing_minor,
    row_number() over (partition by b.provider, b.account, b.currency
      order by b.closed_at desc, b.batch_id) as place
  from stated_batch b
  join moment m on m.moment = 1 and b.closed_at < m.instant
  where b.closing_minor is not null
),
item as (
  select p.provider, p.account, p.currency,
    case
      when max(case when p.kind = 'payout' then 1 else 0 end) = 0 then 'in_transit'
      when max(case when p.kind = 'payout_reversal' then 1 else 0 end) = 1 then 'unsettled'
      else 'other'
    end as kind, '' as payment_id, cast(null as text) as flow_key, p.payout_id as record_id,
    cast(sum(p.amount_minor) as bigint) as amount_minor, min(p.booked_at) as since
  from part p
  join (                               -- a payout may be booked in another account than its rows
    select provider, currency, payout_id
    from part
    where what = 'payout'
    group by provider, currency, payout_id
    having sum(amount_minor) <> 0
  ) n on n.provider = p.provider and n.currency = p.currency and n.payout_id = p.payout_id
  left join settled_payout x on x.provider = p.provider and x.payout_id = p.payout_id
  left join known k on k.source = p.provider and k.subject = 'payouts'
  where p.what = 'payout' and x.payout_id is null
  group by p.provider, p.account, p.currency, p.payout_id, k.covers_from
  having min(p.booked_at) >= coalesce(k.covers_from, min(p.booked_at))
  union all
  select p.provider, p.account, p.currency, p.what, p.payment_id, p.flow_key,
    min(p.record_id), cast(sum(p.amount_minor) as bigint), min(p.booked_at)
  from part p
  where p.what = 'disputed'
  group by p.provider, p.account, p.currency, p.what, p.payment_id, p.flow_key
  union all
  select c.provider, c.account, c.currency, 'unsettled', '', null, c.batch_id, c.closing_minor, min(o.closed_at)
  from left_over c
  left join (                          -- the last batch that left nothing, or the other side's money
    select c.provider, c.account, c.currency, max(z.closed_at) as closed_at
    from left_over c
    join left_over z on z.provider = c.provider and z.account = c.account and z.currency = c.currency
      and case when c.closing_minor > 0 then z.closing_minor <= 0 else z.closing_minor >= 0 end
    where c.place = 1
    group by c.provider, c.account, c.currency
  ) z on z.provider = c.provider and z.account = c.account and z.currency = c.currency
  join left_over o on o.provider = c.provider and o.account = c.account and o.currency = c.currency
    and o.closed_at > coalesce(z.closed_at, -1)
  where c.place = 1 and c.closing_minor <> 0
  group by c.provider, c.account, c.currency, c.batch_id, c.closing_minor
  union all
  select r.provider, r.account, r.currency, 'reserved', '', null, '', cast(sum(r.amount_minor) as bigint), null
  from (
    select provider, account, currency, amount_minor from part where what = 'reserved'
    union all
    select provider, account, currency, amount_minor from kept_sum_at where name = 'reserved'
  ) r
  group by r.provider, r.account, r.currency
  union all
  select u.provider, u.account, u.currency, 'unsettled', u.payment_id, u.flow_key, u.record_id, u.amount_minor, u.since
  from (
    select p.provider, p.account, p.currency, p.payment_id, p.flow_key, min(p.record_id) as record_id,
      cast(sum(p.amount_minor) as bigint) as amount_minor, min(p.booked_at) as since
    from part p
    where p.what = 'unsettled'
    group by p.provider, p.account, p.currency, p.payment_id, p.flow_key,
      case when p.flow_key is null then p.record_id end
  ) u
  join moment m on m.moment = 1
  left join bare b on b.provider = u.provider and b.account = u.account
  left join horizon h on h.provider = u.provider and h.account = u.account
  left join known k on k.source = u.provider and k.subject = 'payouts'
  where u.since >= case when b.provider is null then m.instant - $1 else h.since end
    and u.since >= coalesce(k.covers_from, u.since)
),
named as (
  select 'platform' as scope, i.provider, i.account, '' as connected_account, i.currency, i.kind, i.payment_id,
    coalesce(o.order_ids, '') as order_id, i.record_id, i.amount_minor, i.since
  from item i
  left join payment_orders o on o.flow_key = i.flow_key
  where i.amount_minor <> 0
),
remainder as (
  select b.scope, b.provider, b.account, b.connected_account, b.currency,
    cast(sum(b.amount_minor) as bigint) as amount_minor
  from (
    select scope, provider, account, connected_account, currency, amount_minor from balance_at where moment = 1
    union all
    select scope, provider, account, connected_account, currency, - amount_minor from named
  ) b
  group by b.scope, b.provider, b.account, b.connected_account, b.currency
)
select scope, provider, account, connected_account, currency, kind, payment_id, order_id, record_id, amount_minor, since
from named
union all
select scope, provider, account, connected_account, currency, 'other', '', '', '', amount_minor, null
from remainder
where amount_minor <> 0
