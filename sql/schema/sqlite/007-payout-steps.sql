-- Platforms: payouts that are told step by step.

create table payout_step (              -- something that happened to a payout: booked, failed, returned
  provider text not null, account text not null, payout_id text not null,
  row_id text not null,                -- the ledger row, or a name of its own where no money moved
  status text not null,                -- the provider's word
  currency text not null, amount_minor integer not null,      -- positive towards the bank
  happened_at integer not null, bank_reference text,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, row_id)
) strict;
