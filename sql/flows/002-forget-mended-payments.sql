-- A payment whose parts did not add up, and which was told again since without that, is mended.
delete from broken_row
where row_id = 'payment:' || payment_id and exists (
  select 1 from record_event e
  where e.provider = broken_row.provider and e.subject = 'payment' and e.record_id = broken_row.payment_id
    and e.landed_file > broken_row.landed_file)
