-- What the sums of every group say at both moments, and from when: contracts.md section 5, order_matches.csv and Matching.
-- A claim that something is missing is made only where the source that would hold it is known past its due instant; else the group is pending.
insert into group_at (
  moment, group_id, orders, payments, order_currency, payment_currency, tender_minor, captured_minor, difference_minor, match_status, finding,
  order_ids, payment_ids, provider, account, since)
with placed as (
  select m.moment, m.instant, n.group_id, c.order_id, c.placed_at, c.status, c.currency, c.tender_minor, c.provider,
    case when c.status in ('pending', 'cancelled') then 0 else 1 end as is_live,
    c.placed_at + coalesce(g.capture_known_within, w.capture_known_within) as due_at,
    case when c.placed_at >= k.covers_from and c.placed_at + coalesce(g.capture_known_within, w.capture_known_within) <= k.known_until then 1 else 0 end as is_knowable,
    row_number() over (partition by m.moment, n.group_id order by c.order_id) as place,
    count(*) over (partition by m.moment, n.group_id) as beside,
    group_concat(c.order_id, ' ') over (partition by m.moment, n.group_id order by c.order_id rows between unbounded preceding and current row) as ids
  from moment m
  join customer_order c on c.placed_at < m.instant
  join match_node n on n.node = 'o:' || c.order_id
  left join policy g on g.provider = c.provider
  cross join (select coalesce(max(capture_known_within), 86400) as capture_known_within from policy) w
  left join known k on k.source = coalesce(c.provider, '') and k.subject = 'payments'
), asked as (
  select moment, group_id, cast(count(*) as bigint) as orders, cast(sum(is_live) as bigint) as live,
    cast(sum(case when status = 'cancelled' then 1 else 0 end) as bigint) as cancelled,
    cast(sum(case when status in ('paid', 'fulfilled') then 1 else 0 end) as bigint) as served,
    case when min(currency) = max(currency) then min(currency) end as currency,
    cast(sum(case when is_live = 1 then tender_minor else 0 end) as bigint) as live_minor, cast(sum(tender_minor) as bigint) as tender_minor,
    max(placed_at) as placed_at, max(case when is_live = 1 then due_at end) as due_at, min(case when is_live = 1 then is_knowable end) as is_knowable,
    max(provider) as provider, max(case when place <= 20 then ids end) as ids          -- of lists that begin alike the longest is the greatest
  from placed
  group by moment, group_id
), paid as (
  select y.moment, n.group_id, y.flow_key, y.payment_id, y.provider, y.account, y.status, y.is_captured, y.currency, y.captured_minor,
    y.refunded_minor, y.failed_minor, y.failed_at, y.captured_at, y.is_covered, y.open_minor,
    row_number() over (partition by y.moment, n.group_id order by y.is_captured desc, y.payment_id) as place,
    count(*) over (partition by y.moment, n.group_id) as beside,
    group_concat(y.payment_id, ' ') over (partition by y.moment, n.group_id order by y.is_captured desc, y.payment_id
      rows between unbounded preceding and current row) as ids
  from payment_at y
  join match_node n on n.node = 'p:' || y.flow_key
  where y.is_captured = 1 or y.status in ('authorised', 'started')
), held as (
  select moment, group_id, cast(sum(is_captured) as bigint) as payments,
    cast(sum(case when status = 'authorised' or open_minor > 0 then 1 else 0 end) as bigint) as authorised,
    cast(sum(case when failed_minor > 0 then 1 else 0 end) as bigint) as failed,
    case when min(case when is_captured = 1 then currency end) = max(case when is_captured = 1 then currency end) then min(case when is_captured = 1 then currency end) end as currency,
    cast(sum(captured_minor) as bigint) as captured_minor, cast(sum(refunded_minor) as bigint) as refunded_minor,
    coalesce(max(captured_at), 0) as captured_at, max(failed_at) as failed_at, min(case when is_captured = 1 then is_covered end) as is_covered,
    min(provider) as provider, max(account) as account, max(case when place <= 20 then ids end) as ids
  from paid
  group by moment, group_id
), lapsed as (                           -- when the last authorisation, or the rest of one, was gone
  select y.moment, n.group_id, max(y.released_at) as released_at
  from payment_at y
  join match_node n on n.node = 'p:' || y.flow_key
  where y.released_at is not null
  group by y.moment, n.group_id
), fits as (
  select a.moment, a.group_id,
    cast(coalesce(sum(case when p.is_captured = 1 and abs(p.captured_minor - a.live_minor) <= t.amount_minor and p.currency = a.currency then 1 else 0 end), 0) as bigint) as full_payments
  from asked a
  join paid p on p.moment = a.moment and p.group_id = a.group_id
  join tolerance t on t.currency = a.currency
  where a.live > 0 and p.beside > 1
  group by a.moment, a.group_id
), claims as (
  select o.moment, o.group_id, cast(sum(case when abs(o.tender_minor - h.captured_minor) <= t.amount_minor then 1 else 0 end) as bigint) as full_orders
  from placed o
  join held h on h.moment = o.moment and h.group_id = o.group_id and h.currency = o.currency
  join tolerance t on t.currency = o.currency
  where o.is_live = 1 and o.beside > 1
  group by o.moment, o.group_id
), twice as (                            -- groups with an init hash that is on more than one order
  select r.moment, r.group_id, min(r.init_hash) as init_hash
  from (
    select o.moment, o.group_id, h.init_hash
    from placed o
    join order_hash h on h.order_id = o.order_id
    where o.is_live = 1 and o.beside > 1
    group by o.moment, o.group_id, h.init_hash
    having count(*) > 1
  ) r
  group by r.moment, r.group_id
), gathered as (                         -- put under each other rather than joined: no engine has to guess how many groups there are
  select moment, group_id, orders, live, cancelled, served, currency as order_currency, live_minor, tender_minor, placed_at, due_at, is_knowable,
    provider as order_provider, ids as order_ids, 0 as payments, 0 as authorised, 0 as failed, null as payment_currency, 0 as captured_minor,
    0 as refunded_minor, 0 as captured_at, cast(null as bigint) as failed_at, 0 as is_covered, null as provider, null as account,
    null as payment_ids, 0 as full_payments, 0 as full_orders
  from asked
  union all
  select moment, group_id, 0, 0, 0, 0, null, 0, 0, 0, null, 0, null, null, payments, authorised, failed, currency, captured_minor,
    refunded_minor, captured_at, failed_at, is_covered, provider, account, ids, 0, 0
  from held
  union all
  select moment, group_id, 0, 0, 0, 0, null, 0, 0, 0, null, 0, null, null, 0, 0, 0, null, 0, 0, 0, null, 0, null, null, null, full_payments, 0
  from fits
  union all
  select moment, group_id, 0, 0, 0, 0, null, 0, 0, 0, null, 0, null, null, 0, 0, 0, null, 0, 0, 0, null, 0, null, null, null, 0, full_orders
  from claims
), groups as (
  select moment, group_id, max(orders) as orders, max(live) as live, max(cancelled) as cancelled, max(served) as served,
    max(order_currency) as order_currency, cast(sum(live_minor) as bigint) as live_minor,
    cast(sum(tender_minor) as bigint) as tender_minor, max(placed_at) as placed_at,
    max(due_at) as due_at, max(is_knowable) as is_knowable, max(payments) as payments, max(authorised) as authorised, max(failed) as failed,
    max(payment_currency) as payment_currency, cast(sum(captured_minor) as bigint) as captured_minor,
    cast(sum(refunded_minor) as bigint) as refunded_minor, max(captured_at) as captured_at,
    max(failed_at) as failed_at, max(is_covered) as is_covered, max(order_provider) as order_provider, max(provider) as held_provider,
    max(account) as account, max(order_ids) as order_ids, max(payment_ids) as payment_ids, max(full_payments) as full_payments,
    max(full_orders) as full_orders
  from gathered
  group by moment, group_id
  having max(orders) > 0 or max(payments) > 0
), sums as (
  select g.moment, g.group_id, m.instant, g.orders, g.live, g.cancelled, g.served, g.order_currency, g.live_minor, g.tender_minor, g.placed_at,
    g.due_at, g.is_knowable, g.payments, g.authorised, g.failed, g.payment_currency, g.captured_minor, g.refunded_minor, g.captured_at,
    g.failed_at, g.is_covered, coalesce(g.held_provider, g.order_provider, '') as provider, coalesce(g.account, '') as account,
    g.full_payments, g.full_orders, coalesce(g.order_ids, '') as order_ids, coalesce(g.payment_ids, '') as payment_ids,
    coalesce(t.amount_minor, 0) as within_minor,
    case when k.is_asked = 1 and g.captured_at >= k.covers_from and g.captured_at <= k.known_until then 1 else 0 end as are_orders_known,
    coalesce(kp.known_until, 0) as payments_until, coalesce(kp.covers_from, 0) as payments_from,
    coalesce(k.known_until, 0) as orders_until, w.init_hash as hash_on_orders, h.init_hash as hash_alone,
    greatest_of(g.captured_at, h.started_at + y.approval_within) as init_due_at, coalesce(e.released_at, 0) as released_at
  from groups g
  join moment m on m.moment = g.moment
  left join tolerance t on t.currency = coalesce(g.order_currency, g.payment_currency)
  left join known k on k.source = '' and k.subject = 'orders'
  left join known kp on kp.source = g.held_provider and kp.subject = 'payments'
  left join twice w on w.moment = g.moment and w.group_id = g.group_id
  left join lapsed e on e.moment = g.moment and e.group_id = g.group_id
  left join (
    select n.group_id, min(a.init_hash) as init_hash, min(a.started_at) as started_at
    from payment_hash a
    join match_node n on n.node = 'p:' || a.flow_key
    group by n.group_id
  ) h on g.orders = 0 and h.group_id = g.group_id
  left join policy y on y.provider = g.held_provider
), judged as (
  select s.*,
    greatest_of(s.placed_at, s.captured_at) as both_at,
    case
      when s.orders = 0 then
        case when s.captured_minor = 0 and s.failed > 0 then 'none' when s.is_covered = 0 or s.are_orders_known = 0 then 'pending'
          when s.hash_alone is null then 'missing_order' when s.init_due_at < s.instant and s.init_due_at <= s.orders_until then 'init_without_order'
          else 'pending' end
      when s.payments = 0 then
        case
          when s.live = 0 and s.cancelled = s.orders then 'none'
          when s.live = 0 then 'pending'
          when s.live_minor = 0 then 'none'
          when s.hash_on_orders is not null then 'duplicate_init_hash'
          when s.authorised > 0 then 'authorised'
          when s.due_at < s.instant and s.is_knowable = 1 then 'missing_payment'
          else 'pending'
        end
      when s.live = 0 and s.cancelled = s.orders then
        case when s.captured_minor - s.refunded_minor > s.within_minor then 'captured_after_cancel' else 'none' end
      when s.live = 0 then
        case when s.order_currency = s.payment_currency and abs(s.captured_minor - s.tender_minor) <= s.within_minor then 'none' else 'pending' end
      when s.order_currency is null or s.payment_currency is null or s.order_currency <> s.payment_currency then 'currency_mismatch'
      when s.hash_on_orders is not null then 'duplicate_init_hash'
      when abs(s.captured_minor - s.live_minor) <= s.within_minor then 'none'
      when s.failed > 0 and s.captured_minor < s.live_minor and (s.captured_at > 0 or s.placed_at >= s.payments_from) then 'payment_failed_after_paid'
      when s.full_payments > 1 then 'duplicate_payment'
      when s.full_orders > 1 then 'ambiguous_match'
      when s.captured_minor < s.live_minor and s.authorised > 0 then 'authorised'
      when s.captured_minor < s.live_minor and (s.is_covered = 0 or greatest_of(s.placed_at, s.captured_at) > s.payments_until) then 'pending'
      else 'amount_mismatch'
    end as word
  from sums s
)
select j.moment, j.group_id, j.orders, j.payments, j.order_currency, j.payment_currency, j.live_minor, j.captured_minor,
  case
    when j.orders > 0 and j.payments > 0 and (j.order_currency is null or j.payment_currency is null or j.order_currency <> j.payment_currency) then null
    when j.live > 0 then j.captured_minor - j.live_minor
    when j.payments = 0 and j.cancelled = j.orders then 0
    else j.captured_minor - j.tender_minor
  end,
  case
    when j.word in ('pending', 'authorised') then 'pending'
    when j.word = 'missing_payment' or j.word = 'duplicate_init_hash' and j.payments = 0 then 'unmatched_order'
    when j.orders = 0 then 'unmatched_payment'
    when j.word = 'ambiguous_match' then 'ambiguous'
    when j.live > 0 and j.word = 'none' then 'matched'
    when j.live > 0 then 'mismatched'
    when j.payments = 0 then 'matched'
    when j.order_currency = j.payment_currency and abs(j.captured_minor - j.tender_minor) <= j.within_minor then 'matched'
    else 'mismatched'
  end,
  case when j.word = 'pending' then 'none' when j.word = 'payment_failed_after_paid' and j.served = 0 then 'amount_mismatch' else j.word end,
  j.order_ids, j.payment_ids, j.provider, j.account,
  case j.word
    when 'missing_payment' then greatest_of(j.due_at, j.released_at)
    when 'amount_mismatch' then case when j.captured_minor < j.live_minor then greatest_of(j.both_at, j.released_at) else j.both_at end
    when 'missing_order' then j.captured_at
    when 'init_without_order' then j.init_due_at
    when 'payment_failed_after_paid' then greatest_of(j.placed_at, coalesce(j.failed_at, 0))
    else j.both_at
  end
from judged j
