-- Payments of providers that tell events are folded anew by every run.
delete from payment
where provider in (select distinct e.provider from record_event e)
