-- Payments that an ordering front end started: its calls, and what they say together (contracts.md section 5, PAR).

create table payment_init_call (        -- filled by Swift from the landing zone, never changed by SQL
  source text collate "C" not null, init_hash text collate "C" not null,          -- 32 hexadecimal digits in lower case
  call text collate "C" not null,                    -- init-payment auth-payment orders
  at bigint not null,
  currency text collate "C" not null, amount_minor bigint,             -- of the order source; the amount only where the call says one
  asks_approval bigint not null,         -- 1: the customer has to approve before the payment is authorised
  landed_file bigint not null, landed_line bigint not null,
  primary key (source, init_hash, call, at)
);

-- match (sql/matching)
create table payment_hash (             -- the payments that carry an init hash that the front end knows
  flow_key text collate "C" primary key, init_hash text collate "C" not null,
  started_at bigint not null          -- its first call
);
create table order_hash (               -- the orders that carry one
  order_id text collate "C" primary key, init_hash text collate "C" not null
);

-- Every hash as it stands at a moment by the calls before it: started, amount, and whether its newest call still asks for an approval.
create view payment_init_at as
select c.moment, c.init_hash, min(c.at) as started_at, max(case when c.place = 1 then c.at end) as newest_at,
  max(c.asks_approval) as asked_approval, max(case when c.place = 1 then c.asks_approval end) as asks_approval,
  min(c.currency) as currency, max(c.amount_minor) as amount_minor, max(case when c.call = 'orders' then 1 else 0 end) as has_order
from (
  select m.moment, p.init_hash, p.call, p.at, p.currency, p.amount_minor, p.asks_approval,
    row_number() over (partition by m.moment, p.init_hash order by p.at desc, p.asks_approval, p.call desc) as place
  from payment_init_call p
  join moment m on p.at < m.instant
) c
group by c.moment, c.init_hash;
