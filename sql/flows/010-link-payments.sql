-- A capture's ledger row belongs to the payment it is the source of.
-- A payment captured in several parts has several rows and names only the latest: the row's own source counts.
-- In one currency the presentment amount is the row's; else the captured amount in proportion to the rows of the payment.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
with captured as (
  select l.provider, l.row_id, l.source_id, l.currency, l.amount_minor,
    cast(sum(l.amount_minor) over (partition by l.provider, l.source_id) as bigint) as whole_minor
  from posting k
  join ledger_row l on l.row_no = k.row_no
  where k.kind = 'capture' and l.source_id is not null
)
select c.provider, c.row_id, p.payment_id, 'payment', p.payment_id, null, p.currency,
  case
    when c.currency = p.currency then abs(c.amount_minor)
    when c.whole_minor = 0 then 0
    else abs(proportion(p.captured_minor, c.amount_minor, c.whole_minor))
  end
from captured c
join payment p on p.provider = c.provider and p.payment_id = c.source_id
where true
on conflict (provider, row_id) do nothing
