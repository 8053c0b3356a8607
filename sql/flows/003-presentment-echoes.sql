-- Of a sale across a border the API knows the account's currency only; what the customer saw stands in the settlement row that echoes it.
insert into presentment_echo (provider, payment_id, record_id, row_id, currency, amount_minor, exchange_rate)
select l.provider, min(l.payment_id), min(coalesce(l.record_id, l.payment_id)), l.row_id, min(s.presentment_currency),
  cast(sum(s.presentment_minor) as bigint), min(s.exchange_rate)
from ledger_row s
join row_echo x on x.provider = s.provider and x.row_id = s.row_id
join ledger_row l on l.provider = x.provider and l.row_id = x.echoes_row_id
where s.is_echo = 1 and s.presentment_currency <> s.currency and s.presentment_minor is not null
group by l.provider, l.row_id
