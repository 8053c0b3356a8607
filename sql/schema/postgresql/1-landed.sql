-- What was read from the landing zone and the order sources, in provider-neutral nouns. Filled by Swift (bulk load),
-- never changed by SQL. landed_file and landed_line lead back to the line in the landing zone. Instants are Unix
-- seconds UTC, amounts minor units (ISO 4217 digits).

create table landed_file (
  -- in reading order, that of the landing chain: the newest version of a record has the highest
  file_id bigint primary key,
  path text collate "C" not null,
  source text collate "C" not null,                 -- provider name or order source name
  stream text collate "C" not null,
  observed_at bigint not null,
  window_from bigint not null,
  window_to bigint not null,
  -- the coverage this pull claims begins here (the look-back before it claims nothing)
  covers_from bigint not null,
  watermark bigint not null,            -- claimed when complete
  range_from bigint not null,
  range_to bigint not null,             -- the reported range this pull was made for ends here
  complete bigint not null,
  reason text collate "C",
  objects bigint not null,
  sha256 text collate "C" not null,
  -- known up to here even where the pull is incomplete; 0: only by the watermark
  known_until bigint not null default 0,
  sequence bigint not null default 0,          -- its place in the landing chain
  manifest_sha256 text collate "C" not null default '',
  is_in_doubt bigint not null default 0          -- 1: the run doubted its clock: it claims nothing
);
-- Asked for every file that lands, of all that landed before.
create index landed_file_stream on landed_file (source, stream);
create index landed_file_observed on landed_file (observed_at);

-- what of the landing zone is not as it was landed; worked out anew by every run
create table landing_fault (
  place text collate "C" primary key,               -- the landed file, or its number where nothing names it
  source text collate "C" not null, stream text collate "C" not null,          -- '': it may be of any source
  from_file bigint not null,                -- the first file whose claims it takes away
  observed_at bigint not null, covers_from bigint not null, window_to bigint not null,      -- of its pull
  -- its place in the landing chain; 0: none
  sequence bigint not null, manifest_sha256 text collate "C" not null,
  is_read bigint not null,                  -- 1: its records are in the store all the same
  location text collate "C" not null, reason text collate "C" not null
);

create table ledger_row (               -- the provider's own rows (balance transactions), as stated
  -- by the file and the order in which it first came; below 0: a row that sql/days works out at every run
  row_no bigint primary key,
  provider text collate "C" not null, row_id text collate "C" not null,
  account text collate "C" not null,
  category text collate "C" not null,               -- the provider's own word
  source_id text collate "C",                       -- the object the provider names behind it
  currency text collate "C" not null, amount_minor bigint not null, fee_minor bigint not null,
  net_minor bigint not null,
  exchange_rate text collate "C",
  booked_at bigint not null, available_at bigint,
  description text collate "C",
  known_category bigint not null,      -- 0: no posting rule, kept as other
  fee_sum_minor bigint not null,        -- sum of the fee lines
  late_since bigint,                    -- the watermark that already covered it when it landed; null = in time
  late_until bigint,                    -- range_to of the pull that brought it
  first_landed_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  payout_id text collate "C",                        -- the payout or batch that the row itself says it is paid by
  -- the row itself names its payment, record and connected account
  payment_id text collate "C", record_id text collate "C", record_kind text collate "C",
  connected_account text collate "C",
  -- what the customer saw of it, a magnitude; null: the row's own amount
  presentment_currency text collate "C", presentment_minor bigint,
  is_echo bigint not null default 0,    -- 1: counts only where no other row reports the same movement
  -- the provider's own name for the row, where row_id has to be more than that
  row_name text collate "C",
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  unique (provider, row_id)
);

create table posting (                  -- what the posting rules made of one ledger row; roles, not yet parties
  row_no bigint not null, ordinal bigint not null,
  -- customer platform connected provider bank other
  kind text collate "C" not null, from_role text collate "C" not null, to_role text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null,                    -- > 0
  fee_type text collate "C",                        -- of kind fee, application_fee, application_fee_refund
  description text collate "C",
  primary key (row_no, ordinal)
);

create table stated_payment (                  -- a charge; also an intent without one (is_capture_known = 0)
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
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, payment_id)
);

create table intent (                   -- what was asked for at checkout (payment intent)
  provider text collate "C" not null, intent_id text collate "C" not null,
  status text collate "C" not null,                 -- started processing authorised succeeded canceled
  currency text collate "C" not null, amount_minor bigint not null, capturable_minor bigint not null,
  created_at bigint not null, canceled_at bigint,
  latest_payment_id text collate "C",
  destination text collate "C", transfer_amount_minor bigint, application_fee_minor bigint,
  transfer_group text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, intent_id)
);

-- every identifier of a payment, intent or transfer that an order, or another record, may know it by
create table reference (
  -- name: payment_intent, charge, metadata.order_id, transfer_group ...
  provider text collate "C" not null, owner_id text collate "C" not null, name text collate "C" not null,
  value text collate "C" not null,
  order_rank bigint,                    -- position in the provider's order_reference (1 first); null: not one of them
  -- of the owner's version that carries it: an older version's references are void
  landed_file bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (value, provider, owner_id, name)
);

create table stated_refund (
  provider text collate "C" not null, refund_id text collate "C" not null, payment_id text collate "C",
  status text collate "C" not null,                 -- succeeded pending failed canceled
  currency text collate "C" not null, amount_minor bigint not null,    -- presentment
  created_at bigint not null,
  row_id text collate "C", failure_row_id text collate "C", reversal_id text collate "C",
  is_expired_authorisation bigint not null,   -- releases an authorisation; no money
  landed_file bigint not null, landed_line bigint not null,
  failed_at bigint,                     -- of a folded refund
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, refund_id)
);

create table transfer (
  -- payment_id: the linked charge, null = unlinked
  provider text collate "C" not null, transfer_id text collate "C" not null, payment_id text collate "C",
  connected_account text collate "C", currency text collate "C" not null, amount_minor bigint not null,
  -- metadata.order_id
  created_at bigint not null, row_id text collate "C", transfer_group text collate "C",
  order_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, transfer_id)
);

create table transfer_reversal (
  provider text collate "C" not null, reversal_id text collate "C" not null, transfer_id text collate "C" not null,
  refund_id text collate "C",
  currency text collate "C" not null, amount_minor bigint not null, created_at bigint not null, row_id text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, reversal_id)
);

create table application_fee (
  -- originating payment on the platform; of a direct charge the connected one's
  provider text collate "C" not null, fee_id text collate "C" not null, payment_id text collate "C",
  connected_account text collate "C", is_direct bigint not null,
  currency text collate "C" not null, amount_minor bigint not null, created_at bigint not null, row_id text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, fee_id)
);

create table application_fee_refund (
  provider text collate "C" not null, fee_refund_id text collate "C" not null, fee_id text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null, created_at bigint not null, row_id text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, fee_refund_id)
);

create table stated_dispute (
  provider text collate "C" not null, dispute_id text collate "C" not null, payment_id text collate "C",
  status text collate "C" not null,                 -- inquiry open won lost closed prevented
  provider_status text collate "C" not null, reason text collate "C",
  currency text collate "C" not null, amount_minor bigint not null, created_at bigint not null, respond_by bigint,
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, dispute_id)
);

create table dispute_row (              -- the ledger rows that a dispute names
  provider text collate "C" not null, row_id text collate "C" not null, dispute_id text collate "C" not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, row_id)
);

create table stated_payout (
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

create table payout_line (              -- the rows an itemised payout pays (never the payout's own row)
  provider text collate "C" not null, payout_id text collate "C" not null, row_id text collate "C" not null,
  currency text collate "C" not null, net_minor bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  group_no bigint not null default 0,          -- what it is derived with: record_group
  changed_in bigint not null default 0,         -- the landed file that said something new of it last
  primary key (provider, payout_id, row_id)
);

create table stated_balance (           -- what the provider said it holds for us
  provider text collate "C" not null, account text collate "C" not null, currency text collate "C" not null,
  landed_file bigint not null,
  observed_at bigint not null, range_to bigint not null, amount_minor bigint not null,
  is_settled bigint not null,          -- 1: unmoved while the ledger was read
  -- set aside of it: a provider's rows may report it as having left, or not at all
  withheld_minor bigint not null default 0,
  primary key (provider, account, currency, landed_file, observed_at)          -- one pull may state several moments
);

create table record_change (            -- an immutable record that came back different
  provider text collate "C" not null, record_id text collate "C" not null, landed_file bigint not null,
  account text collate "C" not null, record_kind text collate "C" not null, changed_at bigint not null,
  range_to bigint not null,
  fields text collate "C" not null, was text collate "C" not null, became text collate "C" not null,
  net_minor bigint not null,          -- what the change does to the balance; 0 where the currency changed
  primary key (provider, record_id, landed_file)
);

create table unknown_word (             -- a word of the provider that we have no rule for; the record is kept
  provider text collate "C" not null, record_id text collate "C" not null, word_of text collate "C" not null,
  word text collate "C" not null,
  account text collate "C" not null, seen_at bigint not null,
  currency text collate "C", amount_minor bigint,
  primary key (provider, record_id, word_of)
);

create table quarantine (
  source text collate "C" not null, stream text collate "C" not null, location text collate "C" not null,
  record_id text collate "C" not null, reason text collate "C" not null,
  -- 1: claims that rest on this source are withheld; -1: no record at all, the source is complete without it
  silences bigint not null,
  landed_file bigint,
  unique (source, location, record_id, landed_file)
);

-- Ledger rows of the file that is being read, and their postings, before they meet what is there already (sql/landed).
create table ledger_row_read (
  row_no bigint not null, provider text collate "C" not null, row_id text collate "C" not null,
  account text collate "C" not null, category text collate "C" not null, source_id text collate "C",
  currency text collate "C" not null,
  amount_minor bigint not null, fee_minor bigint not null, net_minor bigint not null, exchange_rate text collate "C",
  booked_at bigint not null, available_at bigint,
  description text collate "C", known_category bigint not null, fee_sum_minor bigint not null, late_since bigint,
  late_until bigint, first_landed_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  payout_id text collate "C", payment_id text collate "C", record_id text collate "C", record_kind text collate "C",
  connected_account text collate "C", presentment_currency text collate "C", presentment_minor bigint,
  is_echo bigint not null default 0,
  is_redated bigint not null default 0,            -- 1: the date that was read first stands, another is no change
  -- 1: takes the place of what was read before, and is no row where nothing was
  is_withdrawn bigint not null default 0,
  row_name text collate "C",
  group_no bigint not null default 0,           -- what it is derived with: record_group
  changed_in bigint not null default 0         -- the landed file that said something new of it last
);

create table posting_read (
  row_no bigint not null, ordinal bigint not null, kind text collate "C" not null, from_role text collate "C" not null,
  to_role text collate "C" not null,
  currency text collate "C" not null, amount_minor bigint not null, fee_type text collate "C",
  description text collate "C"
);
