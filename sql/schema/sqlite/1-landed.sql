-- What was read from the landing zone and the order sources, in provider-neutral nouns. Filled by Swift (bulk load),
-- never changed by SQL. landed_file and landed_line lead back to the line in the landing zone. Instants are Unix
-- seconds UTC, amounts minor units (ISO 4217 digits).

create table landed_file (
  -- in reading order, that of the landing chain: the newest version of a record has the highest
  file_id integer primary key,
  path text not null,
  source text not null,                 -- provider name or order source name
  stream text not null,
  observed_at integer not null,
  window_from integer not null,
  window_to integer not null,
  -- the coverage this pull claims begins here (the look-back before it claims nothing)
  covers_from integer not null,
  watermark integer not null,            -- claimed when complete
  range_from integer not null,
  range_to integer not null,             -- the reported range this pull was made for ends here
  complete integer not null,
  reason text,
  objects integer not null,
  sha256 text not null,
  -- known up to here even where the pull is incomplete; 0: only by the watermark
  known_until integer not null default 0,
  sequence integer not null default 0,          -- its place in the landing chain
  manifest_sha256 text not null default '',
  is_in_doubt integer not null default 0          -- 1: the run doubted its clock: it claims nothing
) strict;
-- Asked for every file that lands, of all that landed before.
create index landed_file_stream on landed_file (source, stream);
create index landed_file_observed on landed_file (observed_at);

-- what of the landing zone is not as it was landed; worked out anew by every run
create table landing_fault (
  place text primary key,               -- the landed file, or its number where nothing names it
  source text not null, stream text not null,          -- '': it may be of any source
  from_file integer not null,                -- the first file whose claims it takes away
  observed_at integer not null, covers_from integer not null, window_to integer not null,      -- of its pull
  -- its place in the landing chain; 0: none
  sequence integer not null, manifest_sha256 text not null,
  is_read integer not null,                  -- 1: its records are in the store all the same
  location text not null, reason text not null
) strict;

create table ledger_row (               -- the provider's own rows (balance transactions), as stated
  -- by the file and the order in which it first came; below 0: a row that sql/days works out at every run
  row_no integer primary key,
  provider text not null, row_id text not null,
  account text not null,
  category text not null,               -- the provider's own word
  source_id text,                       -- the object the provider names behind it
  currency text not null, amount_minor integer not null, fee_minor integer not null,
  net_minor integer not null,
  exchange_rate text,
  booked_at integer not null, available_at integer,
  description text,
  known_category integer not null,      -- 0: no posting rule, kept as other
  fee_sum_minor integer not null,        -- sum of the fee lines
  late_since integer,                    -- the watermark that already covered it when it landed; null = in time
  late_until integer,                    -- range_to of the pull that brought it
  first_landed_at integer not null,
  landed_file integer not null, landed_line integer not null,
  payout_id text,                        -- the payout or batch that the row itself says it is paid by
  -- the row itself names its payment, record and connected account
  payment_id text, record_id text, record_kind text,
  connected_account text,
  -- what the customer saw of it, a magnitude; null: the row's own amount
  presentment_currency text, presentment_minor integer,
  is_echo integer not null default 0,    -- 1: counts only where no other row reports the same movement
  -- the provider's own name for the row, where row_id has to be more than that
  row_name text,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  unique (provider, row_id)
) strict;

create table posting (                  -- what the posting rules made of one ledger row; roles, not yet parties
  row_no integer not null, ordinal integer not null,
  -- customer platform connected provider bank other
  kind text not null, from_role text not null, to_role text not null,
  currency text not null, amount_minor integer not null,                    -- > 0
  fee_type text,                        -- of kind fee, application_fee, application_fee_refund
  description text,
  primary key (row_no, ordinal)
) strict, without rowid;

create table stated_payment (                  -- a charge; also an intent without one (is_capture_known = 0)
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
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, payment_id)
) strict;

create table intent (                   -- what was asked for at checkout (payment intent)
  provider text not null, intent_id text not null,
  status text not null,                 -- started processing authorised succeeded canceled
  currency text not null, amount_minor integer not null, capturable_minor integer not null,
  created_at integer not null, canceled_at integer,
  latest_payment_id text,
  destination text, transfer_amount_minor integer, application_fee_minor integer,
  transfer_group text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, intent_id)
) strict;

-- every identifier of a payment, intent or transfer that an order, or another record, may know it by
create table reference (
  -- name: payment_intent, charge, metadata.order_id, transfer_group ...
  provider text not null, owner_id text not null, name text not null,
  value text not null,
  order_rank integer,                    -- position in the provider's order_reference (1 first); null: not one of them
  -- of the owner's version that carries it: an older version's references are void
  landed_file integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (value, provider, owner_id, name)
) strict, without rowid;

create table stated_refund (
  provider text not null, refund_id text not null, payment_id text,
  status text not null,                 -- succeeded pending failed canceled
  currency text not null, amount_minor integer not null,    -- presentment
  created_at integer not null,
  row_id text, failure_row_id text, reversal_id text,
  is_expired_authorisation integer not null,   -- releases an authorisation; no money
  landed_file integer not null, landed_line integer not null,
  failed_at integer,                     -- of a folded refund
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, refund_id)
) strict;

create table transfer (
  -- payment_id: the linked charge, null = unlinked
  provider text not null, transfer_id text not null, payment_id text,
  connected_account text, currency text not null, amount_minor integer not null,
  -- metadata.order_id
  created_at integer not null, row_id text, transfer_group text,
  order_reference text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, transfer_id)
) strict;

create table transfer_reversal (
  provider text not null, reversal_id text not null, transfer_id text not null,
  refund_id text,
  currency text not null, amount_minor integer not null, created_at integer not null, row_id text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, reversal_id)
) strict;

create table application_fee (
  -- originating payment on the platform; of a direct charge the connected one's
  provider text not null, fee_id text not null, payment_id text,
  connected_account text, is_direct integer not null,
  currency text not null, amount_minor integer not null, created_at integer not null, row_id text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, fee_id)
) strict;

create table application_fee_refund (
  provider text not null, fee_refund_id text not null, fee_id text not null,
  currency text not null, amount_minor integer not null, created_at integer not null, row_id text,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, fee_refund_id)
) strict;

create table stated_dispute (
  provider text not null, dispute_id text not null, payment_id text,
  status text not null,                 -- inquiry open won lost closed prevented
  provider_status text not null, reason text,
  currency text not null, amount_minor integer not null, created_at integer not null, respond_by integer,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, dispute_id)
) strict;

create table dispute_row (              -- the ledger rows that a dispute names
  provider text not null, row_id text not null, dispute_id text not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, row_id)
) strict;

create table stated_payout (
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

create table payout_line (              -- the rows an itemised payout pays (never the payout's own row)
  provider text not null, payout_id text not null, row_id text not null,
  currency text not null, net_minor integer not null,
  landed_file integer not null, landed_line integer not null,
  group_no integer not null default 0,          -- what it is derived with: record_group
  changed_in integer not null default 0,         -- the landed file that said something new of it last
  primary key (provider, payout_id, row_id)
) strict, without rowid;

create table stated_balance (           -- what the provider said it holds for us
  provider text not null, account text not null, currency text not null,
  landed_file integer not null,
  observed_at integer not null, range_to integer not null, amount_minor integer not null,
  is_settled integer not null,          -- 1: unmoved while the ledger was read
  -- set aside of it: a provider's rows may report it as having left, or not at all
  withheld_minor integer not null default 0,
  primary key (provider, account, currency, landed_file, observed_at)          -- one pull may state several moments
) strict;

create table record_change (            -- an immutable record that came back different
  provider text not null, record_id text not null, landed_file integer not null,
  account text not null, record_kind text not null, changed_at integer not null,
  range_to integer not null,
  fields text not null, was text not null, became text not null,
  net_minor integer not null,          -- what the change does to the balance; 0 where the currency changed
  primary key (provider, record_id, landed_file)
) strict;

create table unknown_word (             -- a word of the provider that we have no rule for; the record is kept
  provider text not null, record_id text not null, word_of text not null,
  word text not null,
  account text not null, seen_at integer not null,
  currency text, amount_minor integer,
  primary key (provider, record_id, word_of)
) strict;

create table quarantine (
  source text not null, stream text not null, location text not null,
  record_id text not null, reason text not null,
  -- 1: claims that rest on this source are withheld; -1: no record at all, the source is complete without it
  silences integer not null,
  landed_file integer,
  unique (source, location, record_id, landed_file)
) strict;

-- Ledger rows of the file that is being read, and their postings, before they meet what is there already (sql/landed).
create table ledger_row_read (
  row_no integer not null, provider text not null, row_id text not null,
  account text not null, category text not null, source_id text,
  currency text not null,
  amount_minor integer not null, fee_minor integer not null, net_minor integer not null, exchange_rate text,
  booked_at integer not null, available_at integer,
  description text, known_category integer not null, fee_sum_minor integer not null, late_since integer,
  late_until integer, first_landed_at integer not null,
  landed_file integer not null, landed_line integer not null,
  payout_id text, payment_id text, record_id text, record_kind text,
  connected_account text, presentment_currency text, presentment_minor integer,
  is_echo integer not null default 0,
  is_redated integer not null default 0,            -- 1: the date that was read first stands, another is no change
  -- 1: takes the place of what was read before, and is no row where nothing was
  is_withdrawn integer not null default 0,
  row_name text,
  group_no integer not null default 0,           -- what it is derived with: record_group
  changed_in integer not null default 0         -- the landed file that said something new of it last
) strict;

create table posting_read (
  row_no integer not null, ordinal integer not null, kind text not null, from_role text not null,
  to_role text not null,
  currency text not null, amount_minor integer not null, fee_type text,
  description text
) strict;
