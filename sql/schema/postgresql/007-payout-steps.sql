-- Platforms: payouts that are told step by step.

create table payout_step (              -- something that happened to a payout: booked, failed, returned
  provider text collate "C" not null, account text collate "C" not null, payout_id text collate "C" not null,
  row_id text collate "C" not null,                -- the ledger row, or a name of its own where no money moved
  status text collate "C" not null,                -- the provider's word
  currency text collate "C" not null, amount_minor bigint not null,      -- positive towards the bank
  happened_at bigint not null, bank_reference text collate "C",
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, row_id)
);
