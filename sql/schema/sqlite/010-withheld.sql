-- What of a stated balance is set aside: a provider's rows may tell of it as having left, or not at all.
alter table stated_balance add column withheld_minor integer not null default 0;
