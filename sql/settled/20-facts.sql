-- The first and the last fact of every derived group that is not settled already. A payout is a fact of what it pays.
-- Beside them, up to where all of its sources are known; a source that nobody asks any more withholds nothing. $1: the
-- range's end; $2: the longest deadline, seconds.
insert into group_fact (group_no, first_at, last_at, known_until)
select f.group_no, min(f.at), max(f.at), min(coalesce(k.known_until, $1))
from (
  select l.group_no, l.provider as source, l.booked_at as at from ledger_row l
  union all
  select l.group_no, l.provider, l.available_at from ledger_row l where l.available_at is not null
  union all
  select l.group_no, l.provider, l.first_landed_at from ledger_row l
  union all
  select l.group_no, l.provider, l.late_until from ledger_row l where l.late_since is not null
    and l.late_until is not null
  union all
  select l.group_no, l.provider, greatest_of(c.changed_at, c.range_to)
  from record_change c
  join ledger_row l on l.provider = c.provider and l.row_id = c.record_id
  union all
  select p.group_no, p.provider, p.created_at from stated_payment p
  union all
  select p.group_no, p.provider, greatest_of(coalesce(p.capture_before, 0), coalesce(p.canceled_at, 0))
    from stated_payment p
  where p.is_captured = 0 and (p.capture_before is not null or p.canceled_at is not null)
  union all
  select i.group_no, i.provider, greatest_of(i.created_at, coalesce(i.canceled_at, 0)) from intent i
  union all
  select r.group_no, r.provider, greatest_of(r.created_at, coalesce(r.failed_at, 0)) from stated_refund r
  union all
  select t.group_no, t.provider, t.created_at from transfer t
  union all
  select v.group_no, v.provider, v.created_at from transfer_reversal v
  union all
  select a.group_no, a.provider, a.created_at from application_fee a
  union all
  select b.group_no, b.provider, b.created_at from application_fee_refund b
  union all
  select d.group_no, d.provider, greatest_of(d.created_at, coalesce(d.respond_by, 0)) from stated_dispute d
  union all
  select o.group_no, '', o.placed_at from customer_order o
  union all
  select u.group_no, '', u.refunded_at from order_refund u
  union all
  select e.group_no, e.provider, e.happened_at from record_event e
  union all
  select e.group_no, e.provider, e.until_at
  from record_event e
  left join payment p on p.provider = e.provider and p.payment_id = e.record_id and e.subject = 'payment'
    and p.is_captured = 1
  where e.until_at is not null and p.payment_id is null
  union all
  select c.group_no, '', c.at from payment_init_call c
  union all
  select n.group_no, n.provider, n.settled_at from settled_net n
  union all
  select y.group_no, y.provider, k.settled_at - 1
  from payout_line y
  join kept_payout_life k on k.provider = y.provider and k.payout_id = y.payout_id
  where k.settled_at is not null
  union all
  select l.group_no, l.provider, k.settled_at - 1
  from ledger_row l
  join kept_payout_life k on k.provider = l.provider and k.payout_id = l.payout_id
  where k.settled_at is not null
  union all
  select n.group_no, n.provider, k.settled_at - 1
  from settled_net n
  join kept_payout_life k on k.provider = n.provider and k.payout_id = n.payout_id
  where k.settled_at is not null
  union all                            -- an item of the closing until something without lines may have paid it
  select u.group_no, u.provider, min(u.created_at)
  from (
    select l.group_no, l.provider, l.row_id, p.created_at
    from ledger_row l
    join (
      select provider, account from payout group by provider, account having min(is_itemised) = 0
        and max(is_itemised) = 1
    ) b on b.provider = l.provider and b.account = l.account
    join payout p on p.provider = l.provider and p.account = l.account and p.is_itemised = 0
      and p.created_at >= l.booked_at + $2
    left join payout_row y on y.provider = l.provider and y.row_id = l.row_id
    where y.row_id is null
  ) u
  group by u.group_no, u.provider, u.row_id
) f
join record_group g on g.group_no = f.group_no and (g.is_touched = 1 or g.settled_at is null)
left join (
  select source, min(known_until) as known_until
  from known
  where is_asked = 1 and (source <> '' or subject in ('orders', 'order_refunds'))
  group by source
) k on k.source = f.source
where f.group_no <> 0
group by f.group_no
