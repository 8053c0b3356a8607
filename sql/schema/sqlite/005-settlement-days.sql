-- Settlement days that pay the sum of exact amounts, rounded once.

create table settled_net (              -- a settlement row's exact net
  provider text not null, account text not null, payout_id text not null,      -- payout_id: the settlement date
  row_id text not null, fee_row_id text,           -- the ledger row of the movement, and that of its fee
  currency text not null, net_millionths integer not null, minor_millionths integer not null,      -- of the major unit; millionths of one minor unit
  settled_at integer not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, row_id)
) strict, without rowid;

-- Derived by every run.
create table presentment_echo (         -- what the customer saw of a movement, where only its echo says so
  provider text not null, payment_id text not null, record_id text not null, row_id text not null,      -- row_id: the row that the echo tells again
  currency text not null, amount_minor integer not null, exchange_rate text,
  primary key (provider, row_id)
) strict;


create view told_event as               -- the events that count; one of a settlement row counts as its row does, one told in parts as their sum
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
  cast(sum(e.amount_minor) as bigint), min(e.happened_at), max(e.until_at), max(e.method), max(e.intent_id), max(e.detail), min(e.is_echo),
  max(e.landed_file), max(e.landed_line)
from record_event e
where e.part <> '' and not exists (
  select 1 from record_event w
  where w.provider = e.provider and w.subject = e.subject and w.record_id = e.record_id and w.state = e.state and w.event_id = e.event_id
    and w.feed = e.feed and w.part = '')
group by e.provider, e.subject, e.record_id, e.event_id, e.state, e.feed, e.currency;

-- A refund whose settlement row names its payment only, and the same refund by the id that a webhook or an API gave it: by the amount, the first
-- such row the first refund that no row names.
create view named_refund as
select m.provider, m.record_id, m.refund_id
from (
  select n.provider, n.record_id, n.is_settled,
    max(case when n.is_settled = 0 then n.record_id end) over (partition by n.provider, n.payment_id, n.currency, n.amount_minor, n.place) as refund_id
  from (
    select r.provider, r.record_id, r.payment_id, r.currency, r.amount_minor, r.is_settled,
      row_number() over (partition by r.provider, r.payment_id, r.currency, r.amount_minor, r.is_settled order by r.happened_at, r.record_id) as place
    from (
      select e.provider, e.record_id, max(e.payment_id) as payment_id, min(e.currency) as currency, max(e.amount_minor) as amount_minor,
        min(e.happened_at) as happened_at, max(case e.feed when 'settlement' then 1 else 0 end) as is_settled
      from told_event e
      where e.subject = 'refund'
      group by e.provider, e.record_id
    ) r
    where r.is_settled = 0 or r.record_id = r.payment_id or substr(r.record_id, 1, length(r.payment_id) + 1) = r.payment_id || '/'
  ) n
) m
where m.is_settled = 1 and m.refund_id is not null;
