-- A capture's ledger row belongs to the payment it is the source of.
-- A payment captured in several parts has several rows and names only the latest: the row's own source counts.
-- In one currency the presentment amount is the row's; else the captured amount in proportion to the rows of the payment.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select l.provider, l.row_id, p.payment_id, 'payment', p.payment_id, null, p.currency,
  case
    when l.currency = p.currency then abs(l.amount_minor)
    when s.amount_minor = 0 then 0
    else abs(proportion(p.captured_minor, l.amount_minor, s.amount_minor))
  end
from payment p
join ledger_row l on l.provider = p.provider and l.source_id = p.payment_id
join (
  select c.provider, c.source_id, cast(sum(c.amount_minor) as bigint) as amount_minor
  from ledger_row c
  join posting o on o.provider = c.provider and o.row_id = c.row_id and o.kind = 'capture'
  group by c.provider, c.source_id
) s on s.provider = l.provider and s.source_id = l.source_id
join posting k on k.provider = l.provider and k.row_id = l.row_id and k.kind = 'capture'
where true
on conflict (provider, row_id) do nothing
