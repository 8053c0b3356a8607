create temp table payment (                  -- a charge; also an intent without one (is_capture_known = 0)
  provider text collate "C" not null, payment_id text collate "C" not null, flow_key text collate "C" not null,
  account text collate "C" not null,
  intent_id text collate "C",
  -- succeeded pending failed (newest word of the provider, normalised)
  status text collate "C" not null,
  is_captured bigint not null,         -- 0: authorised only
  is_declined bigint not null,         -- 1: an attempt without money: no payment, in no report
  -- presentment, newest
  currency text collate "C" not null, amount_minor bigint not null, captured_minor bigint not null,
  created_at bigint not null,           -- authorisation
  capture_before bigint,                -- an uncaptured authorisation lapses here, where stated
  destination text collate "C", transfer_amount_minor bigint,          -- what the charge itself says
  application_fee_minor bigint,         -- asked for on the charge
  transfer_group text collate "C",
  method text collate "C",
  row_id text collate "C", failure_row_id text collate "C",     -- its ledger rows
  landed_file bigint not null, landed_line bigint not null,
  tells_events bigint not null default 0,          -- 1: folded from events at every run (Resolve)
  authorised_at bigint,
  canceled_at bigint,                   -- the uncaptured whole was released, lapsed, or taken over by its captures
  primary key (provider, payment_id)
);

create temp table refund (
  provider text collate "C" not null, refund_id text collate "C" not null, payment_id text collate "C",
  status text collate "C" not null,                 -- succeeded pending failed canceled
  currency text collate "C" not null, amount_minor bigint not null,    -- presentment
  created_at bigint not null,
  row_id text collate "C", failure_row_id text collate "C", reversal_id text collate "C",
  is_expired_authorisation bigint not null,   -- releases an authorisation; no money
  landed_file bigint not null, landed_line bigint not null,
  failed_at bigint,                     -- of a folded refund
  batch_no bigint not null default 0,          -- the batch of groups that it was derived in
  primary key (provider, refund_id)
);

create temp table dispute (
  provider text collate "C" not null, dispute_id text collate "C" not null, payment_id text collate "C",
  status text collate "C" not null,                 -- inquiry open won lost closed prevented
  provider_status text collate "C" not null, reason text collate "C",
  currency text collate "C" not null, amount_minor bigint not null, created_at bigint not null, respond_by bigint,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, dispute_id)
);

create temp table payout (
  provider text collate "C" not null, payout_id text collate "C" not null, account text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null,    -- > 0 towards the bank
  -- the provider's word
  created_at bigint not null, arrival_on text collate "C", status text collate "C" not null,
  is_itemised bigint not null,         -- 1: the provider says which rows it pays
  row_id text collate "C", failure_row_id text collate "C", failure_code text collate "C",
  bank_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, payout_id)
);

-- What a run derives from the landed records: emptied and filled again by every run, stage by stage. The opening
-- snapshot (moment 0) is the range's first instant,
-- 1 its end: a fact counts at a moment when its instant < moment.instant (so what ends a day and what begins the next
-- agree).

-- The run's own inputs, filled by Swift from the configuration and the landing zone.
create temp table moment (moment bigint primary key, instant bigint not null);

create temp table business_day (day text collate "C" primary key, ordinal bigint not null, starts_at bigint not null,
  ends_at bigint not null);

create temp table policy (                   -- one row per configured provider
  provider text collate "C" primary key,
  refund_reverses_transfer bigint not null, refund_returns_application_fee bigint not null,
  capture_within bigint not null, expiry_warning bigint not null, order_paid_within bigint not null,
  settle_within bigint not null,
  approval_within bigint not null, duplicate_refund_within bigint not null,     -- seconds
  proportional_minor bigint not null, provider_fee_minor bigint not null,
  -- order_paid_within, and settle_within where captures are known from settlement files alone
  capture_known_within bigint not null default 86400,
  -- an expected report is there by then, seconds after its batch closed
  report_due_within bigint not null default 93600
);

-- every currency that occurs
create temp table tolerance (currency text collate "C" primary key, amount_minor bigint not null);

create temp table amount_step (              -- where a provider's amounts move in larger steps than a minor unit
  provider text collate "C" not null, currency text collate "C" not null, step_minor bigint not null,
  primary key (provider, currency)
);

create temp table rate_card (
  provider text collate "C" not null, currency text collate "C" not null, method text collate "C" not null,
  from_at bigint not null, until_at bigint not null,
  percent_part bigint not null, percent_whole bigint not null, fixed_minor bigint not null,
  primary key (provider, currency, method, from_at)
);

create temp table known (                    -- how far a source is known completely
  -- provider name; '' = every configured provider (orders: every order source)
  source text collate "C" not null,
  -- ledger payments refunds transfers fees disputes payouts | orders order_refunds
  subject text collate "C" not null,
  covers_from bigint not null,          -- nothing is claimed missing of what happened before
  known_until bigint not null,          -- a claim "missing" needs its due instant <= this
  is_complete bigint not null,         -- 0: this run could not read it in full: what rests on it is pending
  -- 0: the configuration does not ask for it (connect: false), or there is no such source
  is_asked bigint not null,
  primary key (source, subject)
);

-- assemble (Sources/Reconciliation/Assemble)
-- ledger row -> the record that explains it, its payment, its connected account
create temp table row_link (
  provider text collate "C" not null, row_id text collate "C" not null, record_id text collate "C",
  record_kind text collate "C" not null,
  payment_id text collate "C", connected_account text collate "C",
  presentment_currency text collate "C", presentment_minor bigint,
  primary key (provider, row_id)
);

-- every transfer and the payment it belongs to (linked, by metadata.order_id, by transfer_group)
create temp table payment_transfer (
  provider text collate "C" not null, transfer_id text collate "C" not null, payment_id text collate "C" not null,
  joined_by text collate "C" not null,
  primary key (provider, transfer_id)
);

create temp table entry (
  entry_id text collate "C" primary key, provider text collate "C" not null, account text collate "C" not null,
  flow_key text collate "C", payment_id text collate "C",
  kind text collate "C" not null, from_party text collate "C" not null, to_party text collate "C" not null,
  connected_account text collate "C",
  currency text collate "C" not null, amount_minor bigint not null,
  presentment_currency text collate "C", presentment_minor bigint, exchange_rate text collate "C",
  fee_type text collate "C", description text collate "C",
  booked_at bigint not null, available_at bigint, payout_id text collate "C",
  -- the ledger row; the object behind it (the ledger row itself where there is none)
  row_id text collate "C" not null, record_id text collate "C" not null,
  row_name text collate "C"                          -- as reports name the ledger row; null: by its row_id
);

create temp table flow (                     -- a payment's totals per settlement currency at a moment
  moment bigint not null, flow_key text collate "C" not null, currency text collate "C" not null,
  provider text collate "C" not null, account text collate "C" not null, payment_id text collate "C" not null,
  gross_minor bigint not null, refunded_minor bigint not null, disputed_minor bigint not null,
  transferred_minor bigint not null, transfer_reversed_minor bigint not null,
  application_fee_minor bigint not null, application_fee_refunded_minor bigint not null,
  provider_fee_minor bigint not null,
  platform_net_minor bigint not null, connected_net_minor bigint not null, customer_net_minor bigint not null,
  provider_net_minor bigint not null, other_net_minor bigint not null,
  in_range bigint not null,            -- 1: an entry of it was booked in the range
  has_capture bigint not null,         -- 1: the currency the capture settled in
  primary key (moment, flow_key, currency)
);

-- a payment as it is at a moment; presentment currency unless said otherwise
create temp table payment_at (
  moment bigint not null, flow_key text collate "C" not null, provider text collate "C" not null,
  account text collate "C" not null, payment_id text collate "C" not null,
  intent_id text collate "C", currency text collate "C" not null,
  -- captured partially_refunded refunded disputed failed | authorised started canceled (no money yet)
  status text collate "C" not null,
  is_captured bigint not null,         -- 1: the capture's money row is booked (then captured_at is set)
  captured_at bigint, created_at bigint not null,
  captured_minor bigint not null,       -- all captured, less partial-capture reversals, less failed
  refunded_minor bigint not null,       -- money refunds booked, less failed ones
  failed_minor bigint not null, failed_at bigint,          -- an asynchronous failure
  charged_minor bigint not null,        -- captured before failures are taken off
  -- gross of the capture's settlement currency
  settlement_currency text collate "C", settlement_captured_minor bigint not null,
  charge_type text collate "C" not null, destination text collate "C",              -- asked for (charge, else intent)
  asked_transfer_minor bigint, asked_fee_minor bigint,      -- transfer_data[amount], application_fee_amount
  connected_account text collate "C",               -- where money went, else asked for
  -- count of transfers booked; their currency (null: none or several)
  transfers bigint not null, transfer_currency text collate "C",
  transferred_minor bigint not null, reversed_minor bigint not null,
  fees bigint not null, fee_currency text collate "C",                  -- count of fee objects; their own currency
  -- fee object's currency (returned: ledger, same currency)
  fee_collected_minor bigint not null, fee_returned_minor bigint not null,
  disputed_minor bigint not null,       -- settlement currency, taken less given back
  -- 1: captured since the provider's coverage began: missing things may be claimed
  is_covered bigint not null,
  -- what is authorised beyond what was captured, and can still be: providers that take several captures
  open_minor bigint not null default 0,
  -- when what was authorised and not captured was released or lapsed; null: not by then
  released_at bigint,
  batch_no bigint not null default 0,          -- the batch of groups that it was derived in
  primary key (moment, flow_key)
);

create temp table refund_at (                -- a refund as it is at a moment
  moment bigint not null, provider text collate "C" not null, refund_id text collate "C" not null,
  flow_key text collate "C" not null, payment_id text collate "C" not null,
  status text collate "C" not null,                 -- succeeded pending failed canceled
  currency text collate "C" not null, amount_minor bigint not null,
  created_at bigint not null, booked_at bigint, failed_at bigint,   -- ledger instants known at the moment
  settlement_currency text collate "C", settlement_minor bigint,               -- of its ledger row
  reversal_id text collate "C", reversed_minor bigint not null, reversal_currency text collate "C",
  batch_no bigint not null default 0,          -- the batch of groups that it was derived in
  primary key (moment, provider, refund_id)
);

-- match (Sources/Reconciliation/Match)
create temp table payment_reference (        -- every identifier of a payment, its intent's included
  -- order_rank: position in order_reference, the payment's own before its intent's
  flow_key text collate "C" not null, value text collate "C" not null, order_rank bigint,
  batch_no bigint not null default 0,          -- the batch of groups that it was derived in
  primary key (flow_key, value)
);

create temp table dispute_at (
  moment bigint not null, provider text collate "C" not null, dispute_id text collate "C" not null,
  -- one that names no payment counts for itself
  flow_key text collate "C" not null, payment_id text collate "C" not null,
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

-- Derived by every run.
create temp table row_echo (                 -- rows that do not count, because another row reports their movement
  -- the row that does, where one of the same amount was found
  provider text collate "C" not null, row_id text collate "C" not null, echoes_row_id text collate "C",
  primary key (provider, row_id)
);

-- each capture, and each capture taken back, of the payments that are folded from events
create temp table payment_capture (
  provider text collate "C" not null, payment_id text collate "C" not null, flow_key text collate "C" not null,
  capture_id text collate "C" not null,
  is_failure bigint not null, currency text collate "C" not null, amount_minor bigint not null,      -- presentment, > 0
  captured_at bigint not null,            -- by the word that goes first: settlement, webhook, api
  confirmed_at bigint not null,           -- the earliest word of it
  is_settled bigint not null,             -- 1: a settlement row reports it
  is_alone bigint not null,               -- 1: taken back, and no capture of the payment is reported
  primary key (provider, payment_id, is_failure, capture_id)
);

-- Derived by every run.
-- what the customer saw of a movement, where only its duplicate report says so
create temp table presentment_echo (
  -- row_id: the row that the duplicate report repeats
  provider text collate "C" not null, payment_id text collate "C" not null, record_id text collate "C" not null,
  row_id text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null, exchange_rate text collate "C",
  primary key (provider, row_id)
);

-- match (Sources/Reconciliation/Match)
create temp table payment_hash (             -- the payments that carry an init hash that the front end knows
  flow_key text collate "C" primary key, init_hash text collate "C" not null,
  started_at bigint not null          -- its first call
);

create temp table order_hash (               -- the orders that carry one
  order_id text collate "C" primary key, init_hash text collate "C" not null
);

create temp table day_line (              -- the rows that a settlement day pays, where only its own rows say so
  provider text collate "C" not null, payout_id text collate "C" not null, row_id text collate "C" not null,
  currency text collate "C" not null, net_minor bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, payout_id, row_id)
);
