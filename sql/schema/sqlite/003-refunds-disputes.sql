-- Refunds and disputes at a moment: what several checks look at in the same way.

-- match (sql/matching): every refund of the comparable groups as either side has it, and whether the two sides agree
create table refund_match_at (
  moment integer not null, group_id text not null,
  side text not null,                    -- order | provider
  refund_id text not null,                -- the orders' id, or the provider's; an order whose status alone records a refund lends its own id
  order_id text not null,                 -- '' on the provider's side
  flow_key text,                         -- the payment; null: an order's refund that does not say which of several
  provider text not null,
  status text not null,                   -- of the provider's refund; 'succeeded' on the orders' side
  currency text not null, amount_minor integer not null,
  happened_at integer not null,             -- recorded by the orders, created by the provider
  is_covered integer not null,              -- 1: every payment of the group is
  unit text not null,                     -- the payment within which sums were compared, '' for the whole group
  outcome text not null,                  -- matched | differs (the other side has it, with another amount) | alone (it has nothing for it)
  primary key (moment, side, provider, refund_id)
) strict;

-- assemble (sql/flows): a dispute as it stands at a moment; one whose rows have two currencies has two rows here
create table dispute_at (
  moment integer not null, provider text not null, dispute_id text not null,
  flow_key text not null, payment_id text not null,         -- one that names no payment stands for itself
  account text not null,
  status text not null,                 -- inquiry open won lost closed prevented
  status_since integer,                   -- the first word of that status; null: it bears no date
  reason text, created_at integer not null, respond_by integer,
  asked_currency text not null, asked_minor integer not null,
  currency text not null,                -- of its money rows, or its own while no money moved
  taken_minor integer not null, returned_minor integer not null,         -- by its ledger rows, fees apart
  moved_at integer,                      -- when its newest money row was booked; null: no money moved
  primary key (moment, provider, dispute_id, currency)
) strict;
