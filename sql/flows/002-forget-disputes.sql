-- Disputes of providers that tell events are folded anew by every run.
delete from dispute
where provider in (select distinct e.provider from record_event e)
