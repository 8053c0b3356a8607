-- Which orders and payments, and which of their refunds, belong together, and what follows from it.

create temp table match_link (               -- which order claims which payment, by which rule
  flow_key text collate "C" not null, order_id text collate "C" not null, rule text collate "C" not null,
  rule_rank bigint not null,
  primary key (flow_key, order_id)
);

create temp table match_node (               -- every order and every payment, and the group it is connected to
  node text collate "C" primary key,                -- 'o:' order_id | 'p:' flow_key
  group_id text collate "C" not null            -- the smallest node of the group
);

create temp table group_at (                 -- what the sums of a group say at a moment
  moment bigint not null, group_id text collate "C" not null,
  orders bigint not null, payments bigint not null,          -- orders placed; payments captured (failed ones too)
  order_currency text collate "C", payment_currency text collate "C",                 -- null: none or several
  -- sums, meaningful when the currency is not null; tender: of orders neither pending nor cancelled
  tender_minor bigint not null, captured_minor bigint not null,
  -- as reported: captured - tender of every order placed (0 for a cancelled order without a capture); null where
  -- currencies differ
  difference_minor bigint,
  match_status text collate "C" not null,
  -- none missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment ambiguous_match
  -- captured_after_cancel payment_failed_after_paid authorised
  finding text collate "C" not null,
  order_ids text collate "C" not null, payment_ids text collate "C" not null,          -- separated by a space, sorted
  -- of its payments, else of the order's expected provider, else ''
  provider text collate "C" not null, account text collate "C" not null,
  since bigint not null,                -- from when the finding holds
  primary key (moment, group_id)
);

-- one row per order and payment of a group (one side null where it is alone)
create temp table pair_at (
  moment bigint not null, group_id text collate "C" not null, order_id text collate "C", flow_key text collate "C",
  rule text collate "C",
  -- 1: exactly one currency on both sides, finding neither duplicate nor ambiguous: fee, transfer and refund checks
  -- may compare
  is_comparable bigint not null
);

-- Refunds and disputes at a moment: what several checks look at in the same way.

-- match (Sources/Reconciliation/Match): every refund of the comparable groups as either side has it, and whether the
-- two sides agree
create temp table refund_match_at (
  moment bigint not null, group_id text collate "C" not null,
  side text collate "C" not null,                    -- order | provider
  -- the orders' id, or the provider's; an order whose status alone records a refund lends its own id
  refund_id text collate "C" not null,
  order_id text collate "C" not null,                 -- '' on the provider's side
  -- the payment; null: an order's refund that does not say which of several
  flow_key text collate "C",
  provider text collate "C" not null,
  status text collate "C" not null,                   -- of the provider's refund; 'succeeded' on the orders' side
  currency text collate "C" not null, amount_minor bigint not null,
  happened_at bigint not null,             -- recorded by the orders, created by the provider
  is_covered bigint not null,              -- 1: every payment of the group is
  -- the payment within which sums were compared, '' for the whole group
  unit text collate "C" not null,
  -- matched | differs (the other side has it, with another amount) | alone (it has nothing for it)
  outcome text collate "C" not null,
  primary key (moment, side, provider, refund_id)
);

-- assemble (Sources/Reconciliation/Assemble): a dispute as it is at a moment; one whose rows have two currencies
-- has two rows here

-- What is stated of each payment in one cell, separated by a space where there are several: its orders, and the
-- connected accounts that it belongs to, as of the range's end.
create temp table payment_orders (
  flow_key text collate "C" primary key, order_ids text collate "C" not null
);

create temp table payment_members (
  flow_key text collate "C" primary key, connected_accounts text collate "C" not null
);
