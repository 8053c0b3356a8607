create temp table payment (                  -- a charge; also an intent without one (is_capture_known = 0)
  provider text not null, payment_id text not null, flow_key text not null,
  account text not null,
  intent_id text,
  -- succeeded pending failed (newest word of the provider, normalised)
  status text not null,
  is_captured integer not null,         -- 0: authorised only
  is_declined integer not null,         -- 1: an attempt without money: no payment, in no report
  -- presentment, newest
  currency text not null, amount_minor integer not null, captured_minor integer not null,
  created_at integer not null,           -- authorisation
  capture_before integer,                -- an uncaptured authorisation lapses here, where stated
  destination text, transfer_amount_minor integer,          -- what the charge itself says
  application_fee_minor integer,         -- asked for on the charge
  transfer_group text,
  method text,
  row_id text, failure_row_id text,     -- its ledger rows
  landed_file integer not null, landed_line integer not null,
  tells_events integer not null default 0,          -- 1: folded from events at every run (Resolve)
  authorised_at integer,
  canceled_at integer,                   -- the uncaptured whole was released, lapsed, or taken over by its captures
  primary key (provider, payment_id)
) strict;

create temp table refund (
  provider text not null, refund_id text not null, payment_id text,
  status text not null,                 -- succeeded pending failed canceled
  currency text not null, amount_minor integer not null,    -- presentment
  created_at integer not null,
  row_id text, failure_row_id text, reversal_id text,
  is_expired_authorisation integer not null,   -- releases an authorisation; no money
  landed_file integer not null, landed_line integer not null,
  failed_at integer,                     -- of a folded refund
  batch_no integer not null default 0,          -- the batch of groups that it was derived in
  primary key (provider, refund_id)
) strict;

create temp table dispute (
  provider text not null, dispute_id text not null, payment_id text,
  status text not null,                 -- inquiry open won lost closed prevented
  provider_status text not null, reason text,
  currency text not null, amount_minor integer not null, created_at integer not null, respond_by integer,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, dispute_id)
) strict;

create temp table payout (
  provider text not null, payout_id text not null, account text not null,
  currency text not null, amount_minor integer not null,    -- > 0 towards the bank
  -- the provider's word
  created_at integer not null, arrival_on text, status text not null,
  is_itemised integer not null,         -- 1: the provider says which rows it pays
  row_id text, failure_row_id text, failure_code text,
  bank_reference text,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, payout_id)
) strict;

-- What a run derives from the landed records: emptied and filled again by every run, stage by stage. The opening
-- snapshot (moment 0) is the range's first instant,
-- 1 its end: a fact counts at a moment when its instant < moment.instant (so what ends a day and what begins the next
-- agree).

-- The run's own inputs, filled by Swift from the configuration and the landing zone.
create temp table moment (moment integer primary key, instant integer not null) strict;

create temp table business_day (day text primary key, ordinal integer not null, starts_at integer not null,
  ends_at integer not null) strict;

create temp table policy (                   -- one row per configured provider
  provider text primary key,
  refund_reverses_transfer integer not null, refund_returns_application_fee integer not null,
  capture_within integer not null, expiry_warning integer not null, order_paid_within integer not null,
  settle_within integer not null,
  approval_within integer not null, duplicate_refund_within integer not null,     -- seconds
  proportional_minor integer not null, provider_fee_minor integer not null,
  -- order_paid_within, and settle_within where captures are known from settlement files alone
  capture_known_within integer not null default 86400,
  -- an expected report is there by then, seconds after its batch closed
  report_due_within integer not null default 93600
) strict;

-- every currency that occurs
create temp table tolerance (currency text primary key, amount_minor integer not null) strict;

create temp table amount_step (              -- where a provider's amounts move in larger steps than a minor unit
  provider text not null, currency text not null, step_minor integer not null,
  primary key (provider, currency)
) strict;

create temp table rate_card (
  provider text not null, currency text not null, method text not null,
  from_at integer not null, until_at integer not null,
  percent_part integer not null, percent_whole integer not null, fixed_minor integer not null,
  primary key (provider, currency, method, from_at)
) strict;

create temp table known (                    -- how far a source is known completely
  -- provider name; '' = every configured provider (orders: every order source)
  source text not null,
  -- ledger payments refunds transfers fees disputes payouts | orders order_refunds
  subject text not null,
  covers_from integer not null,          -- nothing is claimed missing of what happened before
  known_until integer not null,          -- a claim "missing" needs its due instant <= this
  is_complete integer not null,         -- 0: this run could not read it in full: what rests on it is pending
  -- 0: the configuration does not ask for it (connect: false), or there is no such source
  is_asked integer not null,
  primary key (source, subject)
) strict;

-- assemble (Sources/Reconciliation/Assemble)
-- ledger row -> the record that explains it, its payment, its connected account
create temp table row_link (
  provider text not null, row_id text not null, record_id text,
  record_kind text not null,
  payment_id text, connected_account text,
  presentment_currency text, presentment_minor integer,
  primary key (provider, row_id)
) strict;

-- every transfer and the payment it belongs to (linked, by metadata.order_id, by transfer_group)
create temp table payment_transfer (
  provider text not null, transfer_id text not null, payment_id text not null,
  joined_by text not null,
  primary key (provider, transfer_id)
) strict;

create temp table entry (
  entry_id text primary key, provider text not null, account text not null,
  flow_key text, payment_id text,
  kind text not null, from_party text not null, to_party text not null,
  connected_account text,
  currency text not null, amount_minor integer not null,
  presentment_currency text, presentment_minor integer, exchange_rate text,
  fee_type text, description text,
  booked_at integer not null, available_at integer, payout_id text,
  -- the ledger row; the object behind it (the ledger row itself where there is none)
  row_id text not null, record_id text not null,
  row_name text                          -- as reports name the ledger row; null: by its row_id
) strict;

create temp table flow (                     -- a payment's totals per settlement currency at a moment
  moment integer not null, flow_key text not null, currency text not null,
  provider text not null, account text not null, payment_id text not null,
  gross_minor integer not null, refunded_minor integer not null, disputed_minor integer not null,
  transferred_minor integer not null, transfer_reversed_minor integer not null,
  application_fee_minor integer not null, application_fee_refunded_minor integer not null,
  provider_fee_minor integer not null,
  platform_net_minor integer not null, connected_net_minor integer not null, customer_net_minor integer not null,
  provider_net_minor integer not null, other_net_minor integer not null,
  in_range integer not null,            -- 1: an entry of it was booked in the range
  has_capture integer not null,         -- 1: the currency the capture settled in
  primary key (moment, flow_key, currency)
) strict;

-- a payment as it is at a moment; presentment currency unless said otherwise
create temp table payment_at (
  moment integer not null, flow_key text not null, provider text not null,
  account text not null, payment_id text not null,
  intent_id text, currency text not null,
  -- captured partially_refunded refunded disputed failed | authorised started canceled (no money yet)
  status text not null,
  is_captured integer not null,         -- 1: the capture's money row is booked (then captured_at is set)
  captured_at integer, created_at integer not null,
  captured_minor integer not null,       -- all captured, less partial-capture reversals, less failed
  refunded_minor integer not null,       -- money refunds booked, less failed ones
  failed_minor integer not null, failed_at integer,          -- an asynchronous failure
  charged_minor integer not null,        -- captured before failures are taken off
  -- gross of the capture's settlement currency
  settlement_currency text, settlement_captured_minor integer not null,
  charge_type text not null, destination text,              -- asked for (charge, else intent)
  asked_transfer_minor integer, asked_fee_minor integer,      -- transfer_data[amount], application_fee_amount
  connected_account text,               -- where money went, else asked for
  -- count of transfers booked; their currency (null: none or several)
  transfers integer not null, transfer_currency text,
  transferred_minor integer not null, reversed_minor integer not null,
  fees integer not null, fee_currency text,                  -- count of fee objects; their own currency
  -- fee object's currency (returned: ledger, same currency)
  fee_collected_minor integer not null, fee_returned_minor integer not null,
  disputed_minor integer not null,       -- settlement currency, taken less given back
  -- 1: captured since the provider's coverage began: missing things may be claimed
  is_covered integer not null,
  -- what is authorised beyond what was captured, and can still be: providers that take several captures
  open_minor integer not null default 0,
  -- when what was authorised and not captured was released or lapsed; null: not by then
  released_at integer,
  batch_no integer not null default 0,          -- the batch of groups that it was derived in
  primary key (moment, flow_key)
) strict;

create temp table refund_at (                -- a refund as it is at a moment
  moment integer not null, provider text not null, refund_id text not null,
  flow_key text not null, payment_id text not null,
  status text not null,                 -- succeeded pending failed canceled
  currency text not null, amount_minor integer not null,
  created_at integer not null, booked_at integer, failed_at integer,   -- ledger instants known at the moment
  settlement_currency text, settlement_minor integer,               -- of its ledger row
  reversal_id text, reversed_minor integer not null, reversal_currency text,
  batch_no integer not null default 0,          -- the batch of groups that it was derived in
  primary key (moment, provider, refund_id)
) strict;

-- match (Sources/Reconciliation/Match)
create temp table payment_reference (        -- every identifier of a payment, its intent's included
  -- order_rank: position in order_reference, the payment's own before its intent's
  flow_key text not null, value text not null, order_rank integer,
  batch_no integer not null default 0,          -- the batch of groups that it was derived in
  primary key (flow_key, value)
) strict;

create temp table dispute_at (
  moment integer not null, provider text not null, dispute_id text not null,
  -- one that names no payment counts for itself
  flow_key text not null, payment_id text not null,
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

-- Derived by every run.
create temp table row_echo (                 -- rows that do not count, because another row reports their movement
  -- the row that does, where one of the same amount was found
  provider text not null, row_id text not null, echoes_row_id text,
  primary key (provider, row_id)
) strict;

-- each capture, and each capture taken back, of the payments that are folded from events
create temp table payment_capture (
  provider text not null, payment_id text not null, flow_key text not null,
  capture_id text not null,
  is_failure integer not null, currency text not null, amount_minor integer not null,      -- presentment, > 0
  captured_at integer not null,            -- by the word that goes first: settlement, webhook, api
  confirmed_at integer not null,           -- the earliest word of it
  is_settled integer not null,             -- 1: a settlement row reports it
  is_alone integer not null,               -- 1: taken back, and no capture of the payment is reported
  primary key (provider, payment_id, is_failure, capture_id)
) strict;

-- Derived by every run.
-- what the customer saw of a movement, where only its duplicate report says so
create temp table presentment_echo (
  -- row_id: the row that the duplicate report repeats
  provider text not null, payment_id text not null, record_id text not null,
  row_id text not null,
  currency text not null, amount_minor integer not null, exchange_rate text,
  primary key (provider, row_id)
) strict;

-- match (Sources/Reconciliation/Match)
create temp table payment_hash (             -- the payments that carry an init hash that the front end knows
  flow_key text primary key, init_hash text not null,
  started_at integer not null          -- its first call
) strict;

create temp table order_hash (               -- the orders that carry one
  order_id text primary key, init_hash text not null
) strict;

create temp table day_line (              -- the rows that a settlement day pays, where only its own rows say so
  provider text not null, payout_id text not null, row_id text not null,
  currency text not null, net_minor integer not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, payout_id, row_id)
) strict, without rowid;
