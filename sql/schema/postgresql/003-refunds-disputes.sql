-- Refunds and disputes at a moment: what several checks look at in the same way.

-- match (sql/matching): every refund of the comparable groups as either side has it, and whether the two sides agree
create table refund_match_at (
  moment bigint not null, group_id text collate "C" not null,
  side text collate "C" not null,                    -- order | provider
  refund_id text collate "C" not null,                -- the orders' id, or the provider's; an order whose status alone records a refund lends its own id
  order_id text collate "C" not null,                 -- '' on the provider's side
  flow_key text collate "C",                         -- the payment; null: an order's refund that does not say which of several
  provider text collate "C" not null,
  status text collate "C" not null,                   -- of the provider's refund; 'succeeded' on the orders' side
  currency text collate "C" not null, amount_minor bigint not null,
  happened_at bigint not null,             -- recorded by the orders, created by the provider
  is_covered bigint not null,              -- 1: every payment of the group is
  unit text collate "C" not null,                     -- the payment within which sums were compared, '' for the whole group
  outcome text collate "C" not null,                  -- matched | differs (the other side has it, with another amount) | alone (it has nothing for it)
  primary key (moment, side, provider, refund_id)
);

-- assemble (sql/flows): a dispute as it stands at a moment; one whose rows have two currencies has two rows here
create table dispute_at (
  moment bigint not null, provider text collate "C" not null, dispute_id text collate "C" not null,
  flow_key text collate "C" not null, payment_id text collate "C" not null,         -- one that names no payment stands for itself
  account text collate "C" not null,
  status text collate "C" not null,                 -- inquiry open won lost closed prevented
  status_since bigint,                   -- the first word of that status; null: it bears no date
  reason text collate "C", created_at bigint not null, respond_by bigint,
  asked_currency text collate "C" not null, asked_minor bigint not null,
  currency text collate "C" not null,                -- of its money rows, or its own while no money moved
  taken_minor bigint not null, returned_minor bigint not null,         -- by its ledger rows, fees apart
  moved_at bigint,                      -- when its newest money row was booked; null: no money moved
  primary key (moment, provider, dispute_id, currency)
);
