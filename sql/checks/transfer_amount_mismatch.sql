-- For payment {payment_id} ({captured}), {expected} should have been transferred to {connected_account}, {basis};
-- {actual} was transferred.
--
-- Why it matters: the connected account received too much or too little, and the platform's commission is wrong by the
-- same amount.
-- What clears it: a further transfer of what is missing, or a reversal of the excess.
-- Suggested action: Transfer or reverse the difference, and check how the amount to transfer was computed at checkout.
-- Severity: high
-- Rests on: ledger payments refunds transfers matches
with reach as (                        -- how far transfers are known, and how far refunds
  select source as provider, min(case when subject <> 'refunds' then known_until end) as known_until,
    min(case when subject = 'refunds' then known_until end) as refunds_until
  from known
  where subject in ('ledger', 'payments', 'transfers', 'refunds')
  group by source
  having count(*) = 4 and min(is_asked) = 1
),
-- Transferred whole, the commission coming back as a fee object; a skipped transfer that was sent later by hand is no
-- such payment. Transferred without the commission: the agreed one, where it is known, says how much; else what was
-- asked for.
suspect as (
  select distinct pa.moment, n.group_id
  from payment_at pa
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join match_node n on n.node = 'p:' || pa.flow_key
  join group_at g on g.moment = pa.moment and g.group_id = n.group_id
  left join customer_order o on o.order_id = g.order_ids
  where pa.is_captured = 1 and pa.failed_minor = 0 and pa.transfers > 0 and case
    when pa.charge_type in ('destination_application_fee', 'destination_full') and p.destination is not null then
      case when pa.transferred_minor < case pa.transfer_currency when pa.currency then pa.captured_minor
        when pa.settlement_currency then pa.settlement_captured_minor end then 1 else 0 end
    when g.payments > 1 or g.orders > 1 then 1
    when pa.transferred_minor <> coalesce(pa.captured_minor - o.application_fee_minor,
      least_of(pa.asked_transfer_minor, pa.captured_minor), pa.transferred_minor) then 1
    else 0 end = 1
),
sold as (                              -- the orders of their groups; a payment may have none
  select distinct s.moment, s.group_id, pr.order_id, pr.is_comparable
  from suspect s
  join pair_at pr on pr.moment = s.moment and pr.group_id = s.group_id
),
promise as (                           -- the commission that a group's orders agreed on, where all of them say and they
                                       -- can be compared
  select b.moment, b.group_id, max(o.placed_at) as placed_at,
    case when min(b.is_comparable) = 1 and count(b.order_id) > 0 and count(b.order_id) = count(o.application_fee_minor)
      then cast(sum(o.application_fee_minor) as bigint) end as agreed_minor
  from sold b
  left join customer_order o on o.order_id = b.order_id
  group by b.moment, b.group_id
),
member as (
  select distinct w.moment, w.group_id, w.placed_at, w.agreed_minor, pr.flow_key
  from promise w
  join pair_at pr on pr.moment = w.moment and pr.group_id = w.group_id
  where pr.flow_key is not null
),
paid as (                              -- their payments; reversals of no standing refund undo a transfer
  select b.moment, b.group_id, b.placed_at, b.agreed_minor, pa.flow_key, pa.provider, pa.account, pa.payment_id,
    pa.currency,
    pa.settlement_currency, pa.connected_account, pa.captured_at, pa.is_covered, pa.captured_minor,
      pa.settlement_captured_minor,
    pa.refunded_minor, pa.disputed_minor, pa.asked_transfer_minor, pa.transfers, pa.transfer_currency,
      pa.transferred_minor,
    pa.charge_type, case when p.destination is null then 1 else 0 end as is_separate, g.finding, g.tender_minor,
      g.order_ids, g.payment_ids,
    pa.reversed_minor - (
      select cast(coalesce(sum(f.reversed_minor), 0) as bigint) from refund_at f
      where f.moment = pa.moment and f.flow_key = pa.flow_key and f.status in ('succeeded', 'pending')
    ) as undone_minor,
    case
      when g.match_status = 'pending' or b.agreed_minor is null then 1
      when pa.charge_type not in ('separate', 'platform', 'destination_transfer_amount')
        and p.destination is not null then 1
      when pa.charge_type not in ('separate', 'platform') and pa.transfers = 0 then 1
      when pa.settlement_currency <> pa.currency or pa.transfers > 0
        and coalesce(pa.transfer_currency, '') <> pa.currency then 1
      else 0
    end as is_odd
  from member b
  join payment_at pa on pa.moment = b.moment and pa.flow_key = b.flow_key
  join payment p on p.provider = pa.provider and p.payment_id = pa.payment_id
  join group_at g on g.moment = b.moment and g.group_id = b.group_id
  where pa.is_captured = 1 and pa.failed_minor = 0 and g.finding <> 'duplicate_payment'
),
judged as (                            -- a group is held against the agreed commission when every payment of it can be
  select moment, group_id, placed_at, agreed_minor, flow_key, provider, account, payment_id, currency,
    settlement_currency,
    connected_account,
    captured_at, is_covered, captured_minor, settlement_captured_minor, asked_transfer_minor, transfers,
      transfer_currency,
    transferred_minor,
    charge_type, is_separate, undone_minor, order_ids,
    max(is_odd) over (partition by moment, group_id) as has_odd
  from paid
),
agreed as (
  select moment, group_id, min(flow_key) as flow_key, min(provider) as provider, min(account) as account,
    case when count(*) = 1 then min(payment_id) else min(payment_ids) end as payment_id, min(order_ids) as order_ids,
      min(currency) as currency,
    min(connected_account) as connected_account, max(captured_at) as captured_at, min(placed_at) as placed_at,
    min(is_covered) as is_covered,
    max(is_separate) as is_separate, min(finding) as finding, min(tender_minor) as tender_minor,
      max(disputed_minor) as disputed_minor,
    cast(sum(captured_minor) as bigint) as captured_minor, cast(sum(refunded_minor) as bigint) as refunded_minor,
    cast(sum(transferred_minor) as bigint) as transferred_minor, cast(sum(undone_minor) as bigint) as undone_minor,
    min(agreed_minor) as agreed_minor, cast(sum(coalesce(asked_transfer_minor,
      transferred_minor)) as bigint) as asked_minor
  from paid
  group by moment, group_id
  having sum(is_odd) = 0
),
stated as (
  select moment, group_id, flow_key, provider, account, payment_id, order_ids, currency, connected_account,
    captured_minor,
    greatest_of(captured_minor - agreed_minor, 0) as expected_minor, transferred_minor, undone_minor, is_covered,
      captured_at, placed_at,
    is_separate, disputed_minor, case when is_separate = 1 then refunded_minor else 0 end as refunded_minor,
    case when finding = 'amount_mismatch' and transferred_minor in (tender_minor - agreed_minor, asked_minor,
      proportion(tender_minor - agreed_minor, captured_minor, greatest_of(tender_minor, 1))) then 1
        else 0 end as is_explained,
    'captured less the agreed commission' as basis
  from agreed
  union all
  select moment, group_id, flow_key, provider, account, payment_id, order_ids, currency, connected_account,
    captured_minor,
    least_of(asked_transfer_minor, captured_minor), transferred_minor, undone_minor, is_covered, captured_at,
      captured_at, 0, 0, 0, 0,
    'as the charge asked'
  from judged
  where has_odd = 1 and charge_type = 'destination_transfer_amount' and transfers > 0 and transfer_currency = currency
    and asked_transfer_minor is not null
  union all
  select moment, group_id, flow_key, provider, account, payment_id, order_ids, transfer_currency, connected_account,
    case when transfer_currency = currency then captured_minor else settlement_captured_minor end,
    case when transfer_currency = currency then captured_minor else settlement_captured_minor end,
    transferred_minor, undone_minor, is_covered, captured_at, captured_at, 0, 0, 0, 0, 'the whole of it'
  from judged
  where has_odd = 1 and charge_type in ('destination_application_fee', 'destination_full') and is_separate = 0
    and transfers > 0
    and transfer_currency in (currency, settlement_currency)
),
wrong as (                             -- short of what is expected, or beyond it after all that was undone, and not
                                       -- beyond the payment
  select s.moment, m.instant, s.group_id, s.flow_key, s.provider, s.account, s.payment_id, s.order_ids, s.currency,
    s.connected_account,
    s.captured_minor, s.expected_minor, s.basis,
    case when s.transferred_minor < s.expected_minor then s.transferred_minor
      else s.transferred_minor - s.undone_minor end as actual_minor,
    case when s.is_separate = 1 and s.transferred_minor < s.expected_minor
      then greatest_of(s.captured_at + y.settle_within, s.placed_at)
      else greatest_of(s.captured_at, s.placed_at) end as due_at
  from stated s
  join moment m on m.moment = s.moment
  join reach r on r.provider = s.provider
  join policy y on y.provider = s.provider
  where s.captured_at < r.known_until and s.is_explained = 0
    and s.transferred_minor - s.undone_minor <= s.captured_minor
    and (s.transferred_minor < s.expected_minor - s.refunded_minor and s.is_covered = 1 and (s.is_separate = 0
        or s.disputed_minor <= 0 and s.captured_at + y.settle_within <= least_of(r.known_until, r.refunds_until))
      or s.transferred_minor - s.undone_minor > s.expected_minor)
),
sent as (                              -- their transfers
  select distinct w.moment, w.instant, w.flow_key, w.provider, w.account, w.payment_id, w.order_ids, w.currency,
    w.connected_account,
    w.captured_minor, w.expected_minor, w.actual_minor, w.basis, w.due_at, e.record_id, e.booked_at
  from wrong w
  join pair_at pr on pr.moment = w.moment and pr.group_id = w.group_id
  join entry e on e.flow_key = pr.flow_key and e.kind = 'transfer' and e.booked_at < w.instant
  where w.due_at < w.instant and (e.flow_key = w.flow_key or w.basis = 'captured less the agreed commission')
),
named as (
  select moment, flow_key, provider, account, payment_id, order_ids, currency, connected_account, captured_minor,
    expected_minor,
    actual_minor,
    basis, due_at, max(booked_at) over (partition by moment, flow_key) as booked_at,
    row_number() over (partition by moment, flow_key order by record_id) as place,
    group_concat(record_id, ' ') over (partition by moment, flow_key order by record_id
      rows between unbounded preceding and unbounded following) as ids
  from sent
)
select moment, flow_key as subject, provider, account, order_ids as order_id, payment_id, ids as record_id, currency,
  expected_minor,
  actual_minor,
  greatest_of(due_at, booked_at) as since, connected_account, captured_minor, basis
from named
where place = 1
order by moment, flow_key
