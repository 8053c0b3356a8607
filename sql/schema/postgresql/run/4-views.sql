-- Every row that a payout pays: its provider lists it, the row says so itself, or its settlement day pays it.
create temp view payout_row as
select y.provider, y.payout_id, y.row_id, y.currency, y.net_minor, y.landed_file, y.landed_line
from payout_line y
union all
select l.provider, l.payout_id, l.row_id, l.currency, l.net_minor, l.landed_file, l.landed_line
from ledger_row l
where l.payout_id is not null
union all
select d.provider, d.payout_id, d.row_id, d.currency, d.net_minor, d.landed_file, d.landed_line
from day_line d;

create temp view stated_batch as             -- the batches that state the balance they began with and left
select b.provider, b.account, b.batch_id, b.closed_at, v.currency,
  max(case when v.name = 'opening' then v.amount_minor end) as opening_minor,
  max(case when v.name = 'closing' then v.amount_minor end) as closing_minor
from settlement_batch b
join batch_value v on v.provider = b.provider and v.batch_id = b.batch_id
group by b.provider, b.account, b.batch_id, b.closed_at, v.currency
having max(case when v.name = 'activity' then 1 else 0 end) = 1;

create temp view booked_row as               -- the ledger rows that count
select l.row_no, l.provider, l.row_id, l.account, l.category, l.source_id, l.currency, l.amount_minor, l.fee_minor,
  l.net_minor, l.exchange_rate, l.booked_at,
  l.available_at, l.description, l.known_category, l.fee_sum_minor, l.late_since, l.late_until, l.first_landed_at,
    l.payment_id, l.record_id,
  l.record_kind, l.connected_account, l.presentment_currency, l.presentment_minor, l.landed_file, l.landed_line,
    l.row_name, l.payout_id
from ledger_row l
where l.is_echo = 0 or not exists (select 1 from row_echo e where e.provider = l.provider and e.row_id = l.row_id);

-- the events that count; one of a settlement row counts as its row does, one reported in parts as their sum
create temp view told_event as
select e.provider, e.account, e.subject, e.record_id, e.payment_id, e.event_id, e.state, e.feed,
  coalesce(s.currency, e.currency) as currency, coalesce(s.amount_minor, e.amount_minor) as amount_minor, e.happened_at,
  e.until_at, e.method, e.intent_id, e.detail, e.is_echo, e.landed_file, e.landed_line
from record_event e
left join presentment_echo s on s.provider = e.provider and s.payment_id = e.payment_id and s.record_id = e.event_id
  and e.state in ('captured', 'succeeded')
where e.part = '' and not (e.state = 'captured' and e.amount_minor = 0)      -- nothing: a capture that was withdrawn
  and (e.is_echo = 0 or case
    when exists (select 1 from settled_net n where n.provider = e.provider and n.row_id = e.event_id)
      then not exists (select 1 from row_echo x where x.provider = e.provider and x.row_id = e.event_id)
    else not exists (
      select 1 from record_event o
      where o.provider = e.provider and o.subject = e.subject and o.record_id = e.record_id and o.is_echo = 0)
  end)
union all
select e.provider, max(e.account), e.subject, e.record_id, max(e.payment_id), e.event_id, e.state, e.feed, e.currency,
  cast(sum(e.amount_minor) as bigint), min(e.happened_at), max(e.until_at), max(e.method), max(e.intent_id),
    max(e.detail), min(e.is_echo),
  max(e.landed_file), max(e.landed_line)
from record_event e
where e.part <> '' and not exists (
  select 1 from record_event w
  where w.provider = e.provider and w.subject = e.subject and w.record_id = e.record_id and w.state = e.state
    and w.event_id = e.event_id
    and w.feed = e.feed and w.part = '')
group by e.provider, e.subject, e.record_id, e.event_id, e.state, e.feed, e.currency;

-- Every hash as it is at a moment by the calls before it: started, amount, and whether its newest call still asks
-- for an approval.
create temp view payment_init_at as
select c.moment, c.init_hash, min(c.at) as started_at, max(case when c.place = 1 then c.at end) as newest_at,
  max(c.asks_approval) as asked_approval, max(case when c.place = 1 then c.asks_approval end) as asks_approval,
  min(c.currency) as currency, max(c.amount_minor) as amount_minor,
    max(case when c.call = 'orders' then 1 else 0 end) as has_order
from (
  select m.moment, p.init_hash, p.call, p.at, p.currency, p.amount_minor, p.asks_approval,
    row_number() over (partition by m.moment, p.init_hash order by p.at desc, p.asks_approval, p.call desc) as place
  from payment_init_call p
  join moment m on p.at < m.instant
) c
group by c.moment, c.init_hash;

-- Rows whose own arithmetic does not hold. A payment whose parts did not add up is mended once a later file reports it
-- without that.
create temp view broken_row as
select b.provider, b.account, b.row_id, b.payment_id, b.batch_id, b.currency, b.expected_minor, b.actual_minor,
  b.booked_at, b.detail,
  b.landed_file, b.landed_line
from stated_broken_row b
where b.payment_id is null or b.row_id <> 'payment:' || b.payment_id or not exists (
  select 1 from record_event e
  where e.provider = b.provider and e.subject = 'payment' and e.record_id = b.payment_id
    and e.landed_file > b.landed_file);

-- What several reports state of a payment: its connected accounts, and each line of its fees.

-- The connected accounts that a payment belongs to: whoever received a transfer of it, else who should have.
create temp view payment_member as
with reached as (
  select distinct e.flow_key, e.connected_account
  from entry e
  join moment m on m.moment = 1 and e.booked_at < m.instant
  where e.flow_key is not null and e.connected_account is not null and e.connected_account <> ''
)
select flow_key, connected_account from reached
union
select p.flow_key, coalesce(p.connected_account, p.destination)
from payment_at p
left join reached r on r.flow_key = p.flow_key
where p.moment = 1 and r.flow_key is null and coalesce(p.connected_account, p.destination, '') <> '';

-- Every line of every fee up to the range's end: what the providers charged, the commissions collected, and the
-- commissions that no fee object reports. A fee returned is negative. Where a charge said how much to transfer the
-- commission is what was captured less what was transferred: a line of type platform with the record and time of the
-- transfer. What ends such a payment with its transfer reversed gives the rest back: a negative line with the record
-- and time of the reversal. Only where transfer and capture are in one currency.
create temp view fee_line as
with
  -- The movements, up to the range's end, of payments whose commission is derived, each beside what was captured of the
  -- payment in its currency.
  moved as (
    select e.provider, e.account, e.payment_id, e.flow_key, e.kind, e.row_id, e.currency, e.amount_minor, e.booked_at,
      row_number() over (partition by e.flow_key, e.kind order by e.booked_at, e.entry_id) as place,
      sum(case when e.kind in ('capture', 'charge_failure') then 1 else 0 end) over (partition by e.flow_key,
        e.currency) as captures,
      cast(sum(case when e.kind <> 'capture' then 0 when e.from_party = 'customer' then e.amount_minor
        else -e.amount_minor end)
        over (partition by e.flow_key, e.currency) as bigint) as captured_minor,
      cast(sum(case when e.kind = 'charge_failure' then e.amount_minor else 0 end) over (partition by e.flow_key,
        e.currency) as bigint) as failed_minor
    from entry e
    join payment_at p on p.moment = 1 and p.flow_key = e.flow_key and p.charge_type = 'destination_transfer_amount'
    join moment m on m.moment = 1 and e.booked_at < m.instant
    where e.kind in ('capture', 'charge_failure', 'refund', 'transfer', 'transfer_reversal')
  ),
  refund_reversal as (
    select provider, reversal_id, refund_id from transfer_reversal where refund_id is not null
    union
    select provider, reversal_id, refund_id from refund where reversal_id is not null
  ),
  reversed as (
    select m.provider, m.account, m.payment_id, m.flow_key, m.row_id, m.currency, m.amount_minor, m.booked_at,
      m.failed_minor, l.refund_id
    from moved m
    join transfer_reversal r on r.provider = m.provider and r.row_id = m.row_id
    left join refund_reversal l on l.provider = r.provider and l.reversal_id = r.reversal_id
    where m.kind = 'transfer_reversal'
  ),
  commission as (
    select provider, account, payment_id, flow_key, row_id, 'Commission: captured less transferred' as description,
      currency,
      captured_minor - amount_minor as amount_minor, booked_at
    from moved
    where kind = 'transfer' and place = 1 and captures > 0
    union all
    select r.provider, r.account, r.payment_id, r.flow_key, r.row_id,
      'Commission returned: refund less reversal' as description,
      r.currency, r.amount_minor - m.amount_minor as amount_minor, r.booked_at
    from reversed r
    join refund f on f.provider = r.provider and f.refund_id = r.refund_id
    join moved m on m.provider = f.provider and m.row_id = f.row_id and m.kind = 'refund' and m.currency = r.currency
    union all
    select provider, account, payment_id, flow_key, row_id,
      'Commission returned: failed payment less reversal' as description, currency,
      amount_minor - failed_minor as amount_minor, booked_at
    from reversed
    where refund_id is null and failed_minor > 0
  ),
  line as (
    select provider, account, payment_id, flow_key, coalesce(row_name, row_id) as row_id, fee_type, description,
      currency,
      case when kind = 'application_fee_refund' or (kind <> 'application_fee'
        and to_party = 'platform') then -amount_minor
        else amount_minor end as amount_minor,
      booked_at, entry_id
    from entry
    where fee_type is not null
    union all
    select provider, account, payment_id, flow_key, row_id, 'platform' as fee_type, description, currency,
      amount_minor, booked_at,
      '' as entry_id
    from commission
    where amount_minor <> 0
  )
select provider, account, payment_id, flow_key, row_id, fee_type, description, currency, amount_minor, booked_at,
  entry_id
from line;

-- The discrepancy to look at first of each payment, and of each order: those about its group, or about itself. The cast
-- gives the key a type: without one SQLite makes no index for a join with it, and 20,000 payments with a discrepancy
-- each took minutes instead of a quarter of a second.
create temp view payment_discrepancy as
select s.flow_key, s.discrepancy_id
from (
  select a.flow_key, a.discrepancy_id, row_number() over (partition by a.flow_key order by a.severity_rank desc,
    a.discrepancy_id) as place
  from (
    select cast(d.provider || ':' || d.payment_id as text) as flow_key, d.discrepancy_id, d.severity_rank
    from discrepancy d
    where d.payment_id <> ''
    union
    select p.flow_key, d.discrepancy_id, d.severity_rank
    from discrepancy d
    join pair_at p on p.moment = 1 and p.group_id = d.subject and p.flow_key is not null
  ) a
) s
where s.place = 1;

create temp view order_discrepancy as
select s.order_id, s.discrepancy_id
from (
  select a.order_id, a.discrepancy_id, row_number() over (partition by a.order_id order by a.severity_rank desc,
    a.discrepancy_id) as place
  from (
    select d.order_id, d.discrepancy_id, d.severity_rank
    from discrepancy d
    where d.order_id <> ''
    union
    select p.order_id, d.discrepancy_id, d.severity_rank
    from discrepancy d
    join pair_at p on p.moment = 1 and p.group_id = d.subject and p.order_id is not null
  ) a
) s
where s.place = 1;

-- Why money went to a connected account, or came back from it, by the entries themselves: for a refund, for a dispute,
-- or by itself (''). A reversal names its refund, or its refund it; where a provider splits refunds and disputes, the
-- part that the row is of says whose it is.
create temp view transfer_cause as
select e.entry_id, e.provider, e.flow_key, e.payment_id, e.kind, e.connected_account, e.currency, e.amount_minor,
  e.booked_at, e.record_id,
  case
    when exists (
      select 1 from transfer_reversal v
      where v.provider = e.provider and v.reversal_id = e.record_id and v.refund_id is not null) then 'refund'
    when exists (select 1 from refund r where r.provider = e.provider and r.reversal_id = e.record_id) then 'refund'
    when exists (
      select 1
      from refund r
      join record_event p on p.provider = r.provider and p.subject = 'refund' and p.record_id = r.refund_id
        and p.part = e.row_id
      where r.provider = e.provider and r.payment_id = e.payment_id) then 'refund'
    when exists (
      select 1
      from dispute d
      join record_event p on p.provider = d.provider and p.subject = 'dispute' and p.record_id = d.dispute_id
        and p.part = e.row_id
      where d.provider = e.provider and d.payment_id = e.payment_id) then 'dispute'
    else ''
  end as cause
from entry e
where e.kind in ('transfer', 'transfer_reversal') and e.flow_key is not null;

-- Each movement of a balance, signed as it changes it, under the column of the roll-forward it belongs to: of the
-- platform's accounts at its providers, and of every connected account (which is no account of ours: blank there). An
-- entry between platform and connected account is a movement of both. What goes to the provider is a fee, and what goes
-- to the bank is paid out, whatever the kind of its entry.
create temp view movement as
select e.entry_id, e.scope, e.provider, case e.scope when 'platform' then e.account else '' end as account,
  case e.scope when 'connected' then e.connected_account else '' end as connected_account, e.currency,
  case
    when e.counterparty = 'provider' then 'provider_fees'
    when e.kind in ('payout', 'payout_reversal') or e.counterparty = 'bank' then 'paid_out'
    when e.kind in ('capture', 'charge_failure') then 'captured'
    when e.kind in ('refund', 'refund_failure') then 'refunded'
    when e.kind in ('dispute', 'dispute_reversal') then 'disputed'
    when e.kind = 'transfer' then 'transferred'
    when e.kind = 'transfer_reversal' then 'transfer_reversed'
    when e.kind in ('application_fee', 'application_fee_refund') then 'application_fees'
    when e.kind = 'fx' then 'exchange'
    when e.kind = 'reserve' then 'reserves'
    when e.kind = 'adjustment' then 'adjustments'
    else 'other'
  end as figure,
  e.amount_minor, e.booked_at, e.flow_key, coalesce(e.payment_id, '') as payment_id, e.row_id,
  coalesce(e.row_name, e.row_id) as record_id, e.kind
from (
  select 'platform' as scope, case when to_party = 'platform' then amount_minor else - amount_minor end as amount_minor,
    case when to_party = 'platform' then from_party else to_party end as counterparty,
    entry_id, provider, account, connected_account, currency, kind, booked_at, flow_key, payment_id, row_id, row_name
  from entry
  where from_party = 'platform' and to_party <> 'platform' or to_party = 'platform' and from_party <> 'platform'
  union all
  select 'connected', case when substr(to_party, 1, 10) = 'connected:' then amount_minor else - amount_minor end,
    case when substr(to_party, 1, 10) = 'connected:' then from_party else to_party end,
    entry_id, provider, account, connected_account, currency, kind, booked_at, flow_key, payment_id, row_id, row_name
  from entry
  where connected_account is not null and connected_account <> ''
    and (substr(to_party, 1, 10) = 'connected:' or substr(from_party, 1, 10) = 'connected:')
) e;

-- What rows of before an account's first statement were changed by since it was made: the statement holds them as they
-- were.
create temp view change_since_base as
select v.provider, v.account, v.currency, l.group_no, c.net_minor
from (
  select provider, account, currency, row_id from movement where scope = 'platform'
  group by provider, account, currency, row_id
) v
join record_change c on c.provider = v.provider and c.record_id = v.row_id
join ledger_row l on l.provider = v.provider and l.row_id = v.row_id
join balance_base b on b.provider = v.provider and b.account = v.account and l.booked_at < b.at
  and c.changed_at > b.pulled_at and (b.holds_late = 1 or l.first_landed_at <= b.pulled_at);
