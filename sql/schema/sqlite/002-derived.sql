-- What a run derives from the landed records: emptied and filled again by every run, stage by stage. moment 0 is the range's first instant,
-- 1 its end: a fact counts at a moment when its instant < moment.instant (so what ends a day and what begins the next agree).

-- The run's own inputs, filled by Swift from the configuration and the landing zone.
create table moment (moment integer primary key, instant integer not null) strict;
create table business_day (day text primary key, ordinal integer not null, starts_at integer not null, ends_at integer not null) strict;
create table policy (                   -- one row per configured provider
  provider text primary key,
  refund_reverses_transfer integer not null, refund_returns_application_fee integer not null,
  capture_within integer not null, expiry_warning integer not null, order_paid_within integer not null, settle_within integer not null,
  approval_within integer not null, duplicate_refund_within integer not null,     -- seconds
  proportional_minor integer not null, provider_fee_minor integer not null,
  capture_known_within integer not null default 86400,        -- order_paid_within, and settle_within where captures are known from settlement files alone
  report_due_within integer not null default 93600            -- an expected report is there by then, seconds after its batch closed
) strict;
create table tolerance (currency text primary key, amount_minor integer not null) strict;   -- every currency that occurs
create table rate_card (
  provider text not null, currency text not null, method text not null, from_at integer not null, until_at integer not null,
  percent_part integer not null, percent_whole integer not null, fixed_minor integer not null,
  primary key (provider, currency, method, from_at)
) strict;
create table known (                    -- how far a source is known completely
  source text not null,                 -- provider name; '' = every configured provider (orders: every order source)
  subject text not null,                -- ledger payments refunds transfers fees disputes payouts | orders order_refunds
  covers_from integer not null,          -- nothing is claimed missing of what happened before
  known_until integer not null,          -- a claim "missing" needs its due instant <= this
  is_complete integer not null,         -- 0: this run could not read it in full: what rests on it is pending
  is_asked integer not null,            -- 0: the configuration does not ask for it (connect: false), or there is no such source
  primary key (source, subject)
) strict;

-- assemble (sql/flows)
create table row_link (                 -- ledger row -> the record that explains it, its payment, its connected account
  provider text not null, row_id text not null, record_id text, record_kind text not null,
  payment_id text, connected_account text,
  presentment_currency text, presentment_minor integer,
  primary key (provider, row_id)
) strict;
create table payment_transfer (         -- every transfer and the payment it belongs to (linked, by metadata.order_id, by transfer_group)
  provider text not null, transfer_id text not null, payment_id text not null, joined_by text not null,
  primary key (provider, transfer_id)
) strict;
create table entry (
  entry_id text primary key, provider text not null, account text not null, flow_key text, payment_id text,
  kind text not null, from_party text not null, to_party text not null, connected_account text,
  currency text not null, amount_minor integer not null,
  presentment_currency text, presentment_minor integer, exchange_rate text,
  fee_type text, description text,
  booked_at integer not null, available_at integer, payout_id text,
  row_id text not null, record_id text not null,       -- the ledger row; the object behind it (the ledger row itself where there is none)
  row_name text                          -- as reports name the ledger row; null: by its row_id
) strict;

create table flow (                     -- a payment's totals per settlement currency at a moment
  moment integer not null, flow_key text not null, currency text not null,
  provider text not null, account text not null, payment_id text not null,
  gross_minor integer not null, refunded_minor integer not null, disputed_minor integer not null,
  transferred_minor integer not null, transfer_reversed_minor integer not null,
  application_fee_minor integer not null, application_fee_refunded_minor integer not null, provider_fee_minor integer not null,
  platform_net_minor integer not null, connected_net_minor integer not null, customer_net_minor integer not null,
  provider_net_minor integer not null, other_net_minor integer not null,
  in_range integer not null,            -- 1: an entry of it was booked in the range
  has_capture integer not null,         -- 1: the currency the capture settled in
  primary key (moment, flow_key, currency)
) strict;

create table payment_at (               -- a payment as it stands at a moment; presentment currency unless said otherwise
  moment integer not null, flow_key text not null, provider text not null, account text not null, payment_id text not null,
  intent_id text, currency text not null,
  status text not null,                 -- captured partially_refunded refunded disputed failed | authorised started canceled (no money yet)
  is_captured integer not null,         -- 1: the capture's money row is booked (then captured_at is set)
  captured_at integer, created_at integer not null,
  captured_minor integer not null,       -- all captured, less partial-capture reversals, less failed
  refunded_minor integer not null,       -- money refunds booked, less failed ones
  failed_minor integer not null, failed_at integer,          -- an asynchronous failure
  charged_minor integer not null,        -- captured before failures are taken off
  settlement_currency text, settlement_captured_minor integer not null,      -- gross of the capture's settlement currency
  charge_type text not null, destination text,              -- asked for (charge, else intent)
  asked_transfer_minor integer, asked_fee_minor integer,      -- transfer_data[amount], application_fee_amount
  connected_account text,               -- where money went, else asked for
  transfers integer not null, transfer_currency text,        -- count of transfers booked; their currency (null: none or several)
  transferred_minor integer not null, reversed_minor integer not null,
  fees integer not null, fee_currency text,                  -- count of fee objects; their own currency
  fee_collected_minor integer not null, fee_returned_minor integer not null,          -- fee object's currency (returned: ledger, same currency)
  disputed_minor integer not null,       -- settlement currency, taken less given back
  is_covered integer not null,          -- 1: captured since the provider's coverage began: missing things may be claimed
  open_minor integer not null default 0,         -- what is authorised beyond what was captured, and can still be: providers that take several captures
  released_at integer,                   -- when what was authorised and not captured was released or lapsed; null: not by then
  primary key (moment, flow_key)
) strict;

create table refund_at (                -- a refund as it stands at a moment
  moment integer not null, provider text not null, refund_id text not null, flow_key text not null, payment_id text not null,
  status text not null,                 -- succeeded pending failed canceled
  currency text not null, amount_minor integer not null,
  created_at integer not null, booked_at integer, failed_at integer,   -- ledger instants known at the moment
  settlement_currency text, settlement_minor integer,               -- of its ledger row
  reversal_id text, reversed_minor integer not null, reversal_currency text,
  primary key (moment, provider, refund_id)
) strict;

-- match (sql/matching)
create table payment_reference (        -- every identifier of a payment, its intent's included
  flow_key text not null, value text not null, order_rank integer,      -- order_rank: position in order_reference, the payment's own before its intent's
  primary key (flow_key, value)
) strict;
create table match_link (               -- which order claims which payment, by which rule
  flow_key text not null, order_id text not null, rule text not null, rule_rank integer not null,
  primary key (flow_key, order_id)
) strict;
create table match_node (               -- every order and every payment, and the group it is connected to
  node text primary key,                -- 'o:' order_id | 'p:' flow_key
  group_id text not null            -- the smallest node of the group
) strict;
create table group_at (                 -- what the sums of a group say at a moment
  moment integer not null, group_id text not null,
  orders integer not null, payments integer not null,          -- orders placed; payments captured (failed ones too)
  order_currency text, payment_currency text,                 -- null: none or several
  tender_minor integer not null, captured_minor integer not null,   -- sums, meaningful when the currency is not null; tender: of orders neither pending nor cancelled
  difference_minor integer,              -- as reported: captured - tender of every order placed (0 for a cancelled order without a capture); null where currencies differ
  match_status text not null,
  finding text not null,                -- none missing_payment missing_order amount_mismatch currency_mismatch duplicate_payment ambiguous_match captured_after_cancel payment_failed_after_paid authorised
  order_ids text not null, payment_ids text not null,          -- separated by a space, sorted
  provider text not null, account text not null,              -- of its payments, else of the order's expected provider, else ''
  since integer not null,                -- from when the finding holds
  primary key (moment, group_id)
) strict;
create table pair_at (                  -- one row per order and payment of a group (one side null where it is alone)
  moment integer not null, group_id text not null, order_id text, flow_key text, rule text,
  is_comparable integer not null        -- 1: exactly one currency on both sides, finding neither duplicate nor ambiguous: fee, transfer and refund checks may compare
) strict;

-- check (sql/checks): findings as the checks state them, then as published
create table finding (
  type text not null, moment integer not null, subject text not null,
  severity text not null,
  provider text not null, account text not null, order_id text not null, payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer,
  since integer not null, connected_account text not null, explanation text not null, suggested_action text not null,
  primary key (type, moment, subject)
) strict;
create table discrepancy (
  discrepancy_id text primary key, type text not null, subject text not null, severity text not null, severity_rank integer not null, state text not null,
  provider text not null, account text not null, order_id text not null, payment_id text not null, record_id text not null,
  currency text not null, expected_minor integer, actual_minor integer, difference_minor integer,
  since integer not null, first_seen text not null, last_seen text not null, age_days integer not null,
  owner text not null, explanation text not null, suggested_action text not null, decision text not null, note text not null,
  connected_account text not null, counts integer not null,     -- 1: counts for the verdict
  condition text not null default 'new'           -- new persisting resolved, before any decision: a new one shows at once
) strict;

-- prove (sql/proofs)
create table proof_line (
  proof text not null, ordinal integer not null, provider text not null, account text not null, currency text not null,
  subject text not null, label text not null, amount_minor integer not null, holds integer not null
) strict;
