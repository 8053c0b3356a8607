-- Which orders and payments, and which of their refunds, belong together, and what follows from it.

create temp table match_link (               -- which order claims which payment, by which rule
  flow_key text not null, order_id text not null, rule text not null,
  rule_rank integer not null,
  primary key (flow_key, order_id)
) strict;

create temp table match_node (               -- every order and every payment, and the group it is connected to
  node text primary key,                -- 'o:' order_id | 'p:' flow_key
  group_id text not null            -- the smallest node of the group
) strict;

create temp table group_at (                 -- what the sums of a group say at a moment
  moment integer not null, group_id text not null,
  orders integer not null, payments integer not null,          -- orders placed; payments captured (failed ones too)
  order_currency text, payment_currency text,                 -- null: none or several
  -- sums, meaningful when the currency is not null; tender: of orders neither pending nor cancelled
  tender_minor integer not null, captured_minor integer not null,
  -- as reported: captured - tender of every order placed (0 for a cancelled order without a capture); null where
  -- currencies differ
  difference_minor integer,
  match_status text not null,
  -- none missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment ambiguous_match
  -- captured_after_cancel payment_failed_after_paid authorised
  finding text not null,
  order_ids text not null, payment_ids text not null,          -- separated by a space, sorted
  -- of its payments, else of the order's expected provider, else ''
  provider text not null, account text not null,
  since integer not null,                -- from when the finding holds
  primary key (moment, group_id)
) strict;

-- one row per order and payment of a group (one side null where it is alone)
create temp table pair_at (
  moment integer not null, group_id text not null, order_id text, flow_key text,
  rule text,
  -- 1: exactly one currency on both sides, finding neither duplicate nor ambiguous: fee, transfer and refund checks
  -- may compare
  is_comparable integer not null
) strict;

-- Refunds and disputes at a moment: what several checks look at in the same way.

-- match (Sources/Reconciliation/Match): every refund of the comparable groups as either side has it, and whether the
-- two sides agree
create temp table refund_match_at (
  moment integer not null, group_id text not null,
  side text not null,                    -- order | provider
  -- the orders' id, or the provider's; an order whose status alone records a refund lends its own id
  refund_id text not null,
  order_id text not null,                 -- '' on the provider's side
  -- the payment; null: an order's refund that does not say which of several
  flow_key text,
  provider text not null,
  status text not null,                   -- of the provider's refund; 'succeeded' on the orders' side
  currency text not null, amount_minor integer not null,
  happened_at integer not null,             -- recorded by the orders, created by the provider
  is_covered integer not null,              -- 1: every payment of the group is
  -- the payment within which sums were compared, '' for the whole group
  unit text not null,
  -- matched | differs (the other side has it, with another amount) | alone (it has nothing for it)
  outcome text not null,
  primary key (moment, side, provider, refund_id)
) strict;

-- assemble (Sources/Reconciliation/Assemble): a dispute as it is at a moment; one whose rows have two currencies
-- has two rows here

-- What is stated of each payment in one cell, separated by a space where there are several: its orders, and the
-- connected accounts that it belongs to, as of the range's end.
create temp table payment_orders (
  flow_key text primary key, order_ids text not null
) strict, without rowid;

create temp table payment_members (
  flow_key text primary key, connected_accounts text not null
) strict, without rowid;
