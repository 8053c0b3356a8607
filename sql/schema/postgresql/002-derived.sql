-- What a run derives from the landed records: emptied and filled again by every run, stage by stage. moment 0 is the range's first instant,
-- 1 its end: a fact counts at a moment when its instant < moment.instant (so what ends a day and what begins the next agree).

-- The run's own inputs, filled by Swift from the configuration and the landing zone.
create table moment (moment bigint primary key, instant bigint not null);
create table business_day (day text collate "C" primary key, ordinal bigint not null, starts_at bigint not null, ends_at bigint not null);
create table policy (                   -- one row per configured provider
  provider text collate "C" primary key,
  refund_reverses_transfer bigint not null, refund_returns_application_fee bigint not null,
  capture_within bigint not null, expiry_warning bigint not null, order_paid_within bigint not null, settle_within bigint not null,
  approval_within bigint not null, duplicate_refund_within bigint not null,     -- seconds
  proportional_minor bigint not null, provider_fee_minor bigint not null,
  capture_known_within bigint not null default 86400,        -- order_paid_within, and settle_within where captures are known from settlement files alone
  report_due_within bigint not null default 93600            -- an expected report is there by then, seconds after its batch closed
);
create table tolerance (currency text collate "C" primary key, amount_minor bigint not null);   -- every currency that occurs
create table rate_card (
  provider text collate "C" not null, currency text collate "C" not null, method text collate "C" not null, from_at bigint not null, until_at bigint not null,
  percent_part bigint not null, percent_whole bigint not null, fixed_minor bigint not null,
  primary key (provider, currency, method, from_at)
);
create table known (                    -- how far a source is known completely
  source text collate "C" not null,                 -- provider name; '' = every configured provider (orders: every order source)
  subject text collate "C" not null,                -- ledger payments refunds transfers fees disputes payouts | orders order_refunds
  covers_from bigint not null,          -- nothing is claimed missing of what happened before
  known_until bigint not null,          -- a claim "missing" needs its due instant <= this
  is_complete bigint not null,         -- 0: this run could not read it in full: what rests on it is pending
  is_asked bigint not null,            -- 0: the configuration does not ask for it (connect: false), or there is no such source
  primary key (source, subject)
);

-- assemble (sql/flows)
create table row_link (                 -- ledger row -> the record that explains it, its payment, its connected account
  provider text collate "C" not null, row_id text collate "C" not null, record_id text collate "C", record_kind text collate "C" not null,
  payment_id text collate "C", connected_account text collate "C",
  presentment_currency text collate "C", presentment_minor bigint,
  primary key (provider, row_id)
);
create table payment_transfer (         -- every transfer and the payment it belongs to (linked, by metadata.order_id, by transfer_group)
  provider text collate "C" not null, transfer_id text collate "C" not null, payment_id text collate "C" not null, joined_by text collate "C" not null,
  primary key (provider, transfer_id)
);
create table entry (
  entry_id text collate "C" primary key, provider text collate "C" not null, account text collate "C" not null, flow_key text collate "C", payment_id text collate "C",
  kind text collate "C" not null, from_party text collate "C" not null, to_party text collate "C" not null, connected_account text collate "C",
  currency text collate "C" not null, amount_minor bigint not null,
  presentment_currency text collate "C", presentment_minor bigint, exchange_rate text collate "C",
  fee_type text collate "C", description text collate "C",
  booked_at bigint not null, available_at bigint, payout_id text collate "C",
  row_id text collate "C" not null, record_id text collate "C" not null,       -- the ledger row; the object behind it (the ledger row itself where there is none)
  row_name text collate "C"                          -- as reports name the ledger row; null: by its row_id
);

create table flow (                     -- a payment's totals per settlement currency at a moment
  moment bigint not null, flow_key text collate "C" not null, currency text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, payment_id text collate "C" not null,
  gross_minor bigint not null, refunded_minor bigint not null, disputed_minor bigint not null,
  transferred_minor bigint not null, transfer_reversed_minor bigint not null,
  application_fee_minor bigint not null, application_fee_refunded_minor bigint not null, provider_fee_minor bigint not null,
  platform_net_minor bigint not null, connected_net_minor bigint not null, customer_net_minor bigint not null,
  provider_net_minor bigint not null, other_net_minor bigint not null,
  in_range bigint not null,            -- 1: an entry of it was booked in the range
  has_capture bigint not null,         -- 1: the currency the capture settled in
  primary key (moment, flow_key, currency)
);

create table payment_at (               -- a payment as it stands at a moment; presentment currency unless said otherwise
  moment bigint not null, flow_key text collate "C" not null, provider text collate "C" not null, account text collate "C" not null, payment_id text collate "C" not null,
  intent_id text collate "C", currency text collate "C" not null,
  status text collate "C" not null,                 -- captured partially_refunded refunded disputed failed | authorised started canceled (no money yet)
  is_captured bigint not null,         -- 1: the capture's money row is booked (then captured_at is set)
  captured_at bigint, created_at bigint not null,
  captured_minor bigint not null,       -- all captured, less partial-capture reversals, less failed
  refunded_minor bigint not null,       -- money refunds booked, less failed ones
  failed_minor bigint not null, failed_at bigint,          -- an asynchronous failure
  charged_minor bigint not null,        -- captured before failures are taken off
  settlement_currency text collate "C", settlement_captured_minor bigint not null,      -- gross of the capture's settlement currency
  charge_type text collate "C" not null, destination text collate "C",              -- asked for (charge, else intent)
  asked_transfer_minor bigint, asked_fee_minor bigint,      -- transfer_data[amount], application_fee_amount
  connected_account text collate "C",               -- where money went, else asked for
  transfers bigint not null, transfer_currency text collate "C",        -- count of transfers booked; their currency (null: none or several)
  transferred_minor bigint not null, reversed_minor bigint not null,
  fees bigint not null, fee_currency text collate "C",                  -- count of fee objects; their own currency
  fee_collected_minor bigint not null, fee_returned_minor bigint not null,          -- fee object's currency (returned: ledger, same currency)
  disputed_minor bigint not null,       -- settlement currency, taken less given back
  is_covered bigint not null,          -- 1: captured since the provider's coverage began: missing things may be claimed
  open_minor bigint not null default 0,         -- what is authorised beyond what was captured, and can still be: providers that take several captures
  released_at bigint,                   -- when what was authorised and not captured was released or lapsed; null: not by then
  primary key (moment, flow_key)
);

create table refund_at (                -- a refund as it stands at a moment
  moment bigint not null, provider text collate "C" not null, refund_id text collate "C" not null, flow_key text collate "C" not null, payment_id text collate "C" not null,
  status text collate "C" not null,                 -- succeeded pending failed canceled
  currency text collate "C" not null, amount_minor bigint not null,
  created_at bigint not null, booked_at bigint, failed_at bigint,   -- ledger instants known at the moment
  settlement_currency text collate "C", settlement_minor bigint,               -- of its ledger row
  reversal_id text collate "C", reversed_minor bigint not null, reversal_currency text collate "C",
  primary key (moment, provider, refund_id)
);

-- match (sql/matching)
create table payment_reference (        -- every identifier of a payment, its intent's included
  flow_key text collate "C" not null, value text collate "C" not null, order_rank bigint,      -- order_rank: position in order_reference, the payment's own before its intent's
  primary key (flow_key, value)
);
create table match_link (               -- which order claims which payment, by which rule
  flow_key text collate "C" not null, order_id text collate "C" not null, rule text collate "C" not null, rule_rank bigint not null,
  primary key (flow_key, order_id)
);
create table match_node (               -- every order and every payment, and the group it is connected to
  node text collate "C" primary key,                -- 'o:' order_id | 'p:' flow_key
  group_id text collate "C" not null            -- the smallest node of the group
);
create table group_at (                 -- what the sums of a group say at a moment
  moment bigint not null, group_id text collate "C" not null,
  orders bigint not null, payments bigint not null,          -- orders placed; payments captured (failed ones too)
  order_currency text collate "C", payment_currency text collate "C",                 -- null: none or several
  tender_minor bigint not null, captured_minor bigint not null,   -- sums, meaningful when the currency is not null; tender: of orders neither pending nor cancelled
  difference_minor bigint,              -- as reported: captured - tender of every order placed (0 for a cancelled order without a capture); null where currencies differ
  match_status text collate "C" not null,
  finding text collate "C" not null,                -- none missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment ambiguous_match captured_after_cancel payment_failed_after_paid authorised
  order_ids text collate "C" not null, payment_ids text collate "C" not null,          -- separated by a space, sorted
  provider text collate "C" not null, account text collate "C" not null,              -- of its payments, else of the order's expected provider, else ''
  since bigint not null,                -- from when the finding holds
  primary key (moment, group_id)
);
create table pair_at (                  -- one row per order and payment of a group (one side null where it is alone)
  moment bigint not null, group_id text collate "C" not null, order_id text collate "C", flow_key text collate "C", rule text collate "C",
  is_comparable bigint not null        -- 1: exactly one currency on both sides, finding neither duplicate nor ambiguous: fee, transfer and refund checks may compare
);

-- check (sql/checks): findings as the checks state them, then as published
create table finding (
  type text collate "C" not null, moment bigint not null, subject text collate "C" not null,
  severity text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint,
  since bigint not null, connected_account text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null,
  primary key (type, moment, subject)
);
create table discrepancy (
  discrepancy_id text collate "C" primary key, type text collate "C" not null, subject text collate "C" not null, severity text collate "C" not null, severity_rank bigint not null, state text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, order_id text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  currency text collate "C" not null, expected_minor bigint, actual_minor bigint, difference_minor bigint,
  since bigint not null, first_seen text collate "C" not null, last_seen text collate "C" not null, age_days bigint not null,
  owner text collate "C" not null, explanation text collate "C" not null, suggested_action text collate "C" not null, decision text collate "C" not null, note text collate "C" not null,
  connected_account text collate "C" not null, counts bigint not null,     -- 1: counts for the verdict
  condition text collate "C" not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
);

-- prove (sql/proofs)
create table proof_line (
  proof text collate "C" not null, ordinal bigint not null, provider text collate "C" not null, account text collate "C" not null, currency text collate "C" not null,
  subject text collate "C" not null, label text collate "C" not null, amount_minor bigint not null, holds bigint not null
);
