-- Of payment {payment_id} ({captured}) {expected} should have been transferred to {connected_account}, {basis}; transferred were {actual}.
--
-- Why it matters: the connected account got too much or too little, and the platform's commission is wrong by the same amount.
-- What clears it: a further transfer of what is missing, or a reversal of what is too much.
-- Suggested action: Transfer or reverse the difference, and look up how the amount to transfer was computed at checkout.
-- Severity: high
-- Rests on: ledger payments transfers
with reach as (
  select source as provider, min(case when subject <> 'refunds' then known_until end) as known_until,
    min(case when subject = 'refunds' then known_until end) as refunds_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'refunds')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
-- Transferred whole, the commission coming back as a fee object; a skipped transfer that was sent later by hand is no such payment.
short as (
  select pa.moment, pa.flow_key
  from payment_at pa
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  where pa.charge_type in ('destination_application_fee', 'destination_full') and pa.is_captured = 1 and pa.failed_minor = 0
    and pa.transfers > 0 and p.destination is not null and pa.transferred_minor <
    case pa.transfer_currency when pa.currency then pa.captured_minor when pa.settlement_currency then pa.settlement_captured_minor end
),
-- Transferred without the commission: the agreed one, where it is known, says how much; else what was asked for.
partly as (
  select distinct pa.moment, n.group_id
  from payment_at pa
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join match_node n on n.node = 'p:' || pa.flow_key
  join group_at g on g.moment = pa.moment and g.group_id = n.group_id
  left join customer_order o on o.order_id = g.order_ids
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.transfers > 0
    and (pa.charge_type in ('destination_transfer_amount', 'separate')
      or pa.charge_type in ('destination_application_fee', 'destination_full') and p.destination is null)
    and (g.payments <> 1 or g.orders > 1 or pa.transferred_minor <> coalesce(
      pa.captured_minor - o.application_fee_minor, least_of(pa.asked_transfer_minor, pa.captured_minor), pa.transferred_minor))
),
member as (
  select distinct s.moment, s.group_id, pr.flow_key
  from partly s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.flow_key is not null
),
sold as (
  select distinct s.moment, s.group_id, pr.order_id, pr.is_comparable
  from partly s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
  where pr.order_id is not null
),
promise as (                           -- the commission that the group's orders agreed on, where all of them say
  select b.moment, b.group_id, cast(sum(o.application_fee_minor) as bigint) as agreed_minor, max(o.placed_at) as placed_at
  from sold b
  join customer_order o on o.order_id = b.order_id
  group by b.moment, b.group_id
  having min(b.is_comparable) = 1 and count(*) = count(o.application_fee_minor)
),
unexplained as (                       -- reversals that belong to no refund that stands: they undo a transfer
  select pa.moment, pa.flow_key, pa.reversed_minor - coalesce(f.reversed_minor, 0) as undone_minor
  from (select moment, flow_key from short union select moment, flow_key from member) s
  join payment_at pa on pa.moment = s.moment and pa.flow_key = s.flow_key
  left join (
    select moment, flow_key, cast(sum(reversed_minor) as bigint) as reversed_minor
    from refund_at
    where status in ('succeeded', 'pending')
    group by moment, flow_key
  ) f on f.moment = pa.moment and f.flow_key = pa.flow_key
),
agreed as (                            -- one row per group whose payments can all be held against the agreed commission
  select b.moment, b.group_id, min(b.flow_key) as subject, min(pa.provider) as provider, min(pa.account) as account,
    case when count(*) = 1 then min(pa.payment_id) else min(g.payment_ids) end as payment_id, min(pa.currency) as currency,
    min(pa.connected_account) as connected_account, max(pa.captured_at) as captured_at, min(w.placed_at) as placed_at, min(pa.is_covered) as is_covered,
    max(case when p.destination is null then 1 else 0 end) as is_separate, min(g.finding) as finding, min(g.tender_minor) as tender_minor,
    cast(sum(pa.captured_minor) as bigint) as captured_minor, cast(sum(pa.refunded_minor) as bigint) as refunded_minor,
    max(pa.disputed_minor) as disputed_minor, cast(sum(pa.transferred_minor) as bigint) as transferred_minor,
    cast(sum(u.undone_minor) as bigint) as undone_minor, min(w.agreed_minor) as agreed_minor,
    cast(sum(coalesce(pa.asked_transfer_minor, pa.transferred_minor)) as bigint) as asked_minor
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join unexplained u on u.moment = b.moment and u.flow_key = b.flow_key
  join promise w on w.moment = b.moment and w.group_id = b.group_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.match_status <> 'pending'
  group by b.moment, b.group_id
  having sum(case
    when pa.charge_type not in ('separate', 'platform', 'destination_transfer_amount') and p.destination is not null then 1
    when pa.charge_type not in ('separate', 'platform') and pa.transfers = 0 then 1
    when pa.settlement_currency <> pa.currency or pa.transfers > 0 and coalesce(pa.transfer_currency, '') <> pa.currency then 1
    else 0 end) = 0
),
stated as (
  select a.moment, a.group_id, a.subject, a.provider, a.account, a.payment_id, a.currency, a.connected_account, a.captured_minor,
    greatest_of(a.captured_minor - a.agreed_minor, 0) as expected_minor, a.transferred_minor, a.undone_minor, a.is_covered,
    a.captured_minor as limit_minor, a.captured_at, a.placed_at, a.is_separate, a.disputed_minor,
    case when a.is_separate = 1 then a.refunded_minor else 0 end as refunded_minor,
    case when a.finding = 'amount_mismatch' and a.transferred_minor in (a.tender_minor - a.agreed_minor, a.asked_minor,
      proportion(a.tender_minor - a.agreed_minor, a.captured_minor, greatest_of(a.tender_minor, 1))) then 1 else 0 end as is_explained,
    'captured less the agreed commission' as basis
  from agreed a
  union all
  select pa.moment, b.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.currency, pa.connected_account, pa.captured_minor,
    least_of(pa.asked_transfer_minor, pa.captured_minor), pa.transferred_minor, u.undone_minor, pa.is_covered,
    pa.captured_minor, pa.captured_at, pa.captured_at, 0, 0, 0, 0, 'as the charge asked'
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join unexplained u on u.moment = b.moment and u.flow_key = b.flow_key
  left join agreed a on a.moment = b.moment and a.group_id = b.group_id
  where a.group_id is null and pa.charge_type = 'destination_transfer_amount' and pa.is_captured = 1 and pa.failed_minor = 0
    and pa.transfers > 0 and pa.asked_transfer_minor is not null and pa.transfer_currency = pa.currency
  union all
  select pa.moment, n.group_id, pa.flow_key, pa.provider, pa.account, pa.payment_id, pa.transfer_currency, pa.connected_account,
    case when pa.transfer_currency = pa.currency then pa.captured_minor else pa.settlement_captured_minor end,
    case when pa.transfer_currency = pa.currency then pa.captured_minor else pa.settlement_captured_minor end,
    pa.transferred_minor, 0, pa.is_covered,
    case when pa.transfer_currency = pa.currency then pa.captured_minor else pa.settlement_captured_minor end,
    pa.captured_at, pa.captured_at, 0, 0, 0, 0, 'the whole of it'
  from short s
  join payment_at pa on pa.moment = s.moment and pa.flow_key = s.flow_key
  left join match_node n on n.node = 'p:' || pa.flow_key
),
wrong as (                             -- short of what is expected, or beyond it after all that was undone, and not beyond the payment
  select s.moment, m.instant, s.group_id, s.subject, s.provider, s.account, s.payment_id, s.currency, s.connected_account, s.captured_minor,
    s.expected_minor, s.basis,
    case when s.transferred_minor < s.expected_minor then s.transferred_minor else s.transferred_minor - s.undone_minor end as actual_minor,
    case when s.is_separate = 1 and s.transferred_minor < s.expected_minor then s.captured_at + y.settle_within
      else greatest_of(s.captured_at, s.placed_at) end as due_at,
    s.captured_at, case when s.is_separate = 1 then least_of(r.known_until, r.refunds_until) else r.known_until end as known_until
  from stated s
  join moment m on m.moment = s.moment
  join reach r on r.provider = s.provider
  join policy y on y.provider = s.provider
  left join group_at g on g.moment = s.moment and g.group_id = s.group_id
  where s.captured_at < r.known_until and s.is_explained = 0 and coalesce(g.finding, 'none') <> 'duplicate_payment'
    and s.transferred_minor - s.undone_minor <= s.limit_minor
    and (s.transferred_minor < s.expected_minor - s.refunded_minor and s.is_covered = 1 and not (s.is_separate = 1 and s.disputed_minor > 0)
      or s.transferred_minor - s.undone_minor > s.expected_minor)
),
sent as (                              -- their transfers
  select distinct w.moment, w.subject, e.record_id, e.booked_at
  from wrong w
  join pair_at pr on pr.moment = w.moment and pr.group_id = w.group_id
  join entry e on e.flow_key = pr.flow_key
  where e.kind = 'transfer' and e.booked_at < w.instant and (e.flow_key = w.subject or w.basis = 'captured less the agreed commission')
),
named as (
  select moment, subject, max(booked_at) over (partition by moment, subject) as booked_at,
    row_number() over (partition by moment, subject order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, subject order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from sent
)
select w.moment, w.subject, w.provider, w.account, coalesce(g.order_ids, '') as order_id, w.payment_id, coalesce(l.ids, '') as record_id, w.currency,
  w.expected_minor, w.actual_minor, greatest_of(w.due_at, coalesce(l.booked_at, w.due_at)) as since, w.connected_account, w.captured_minor, w.basis
from wrong w
left join named l on l.moment = w.moment and l.subject = w.subject and l.place = 1
left join group_at g on g.moment = w.moment and g.group_id = w.group_id
where w.due_at < w.instant and w.due_at <= w.known_until
order by w.moment, w.subject
