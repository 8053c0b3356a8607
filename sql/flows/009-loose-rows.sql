-- A fee, hold or conversion that names what is no payment belongs to the payment of the row it names, or to none: the account's own.
update row_link
set payment_id = (
  select min(k.payment_id)
  from ledger_row l
  join row_link k on k.provider = l.provider and k.row_id = l.row_id
  join payment p on p.provider = k.provider and p.payment_id = k.payment_id
  where l.provider = row_link.provider and l.source_id = row_link.payment_id)
where record_kind = 'other' and payment_id is not null and not exists (
  select 1 from payment p where p.provider = row_link.provider and p.payment_id = row_link.payment_id)
