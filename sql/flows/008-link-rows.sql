-- A row that says itself whose it is needs no object to be found by; one that names a disputed payment belongs to the payment's dispute. One that
-- names a refund or a dispute and no payment belongs to the payment that another feed tells of it. A further capture of a payment goes by its row.
insert into row_link (provider, row_id, record_id, record_kind, payment_id, connected_account, presentment_currency, presentment_minor)
select l.provider, l.row_id, coalesce(n.dispute_id, f.refund_id, c.capture_id, l.record_id, l.payment_id),
  coalesce(l.record_kind, case when l.payment_id is null then 'other' else 'payment' end),
  coalesce(l.payment_id, r.payment_id, d.payment_id), l.connected_account, coalesce(s.currency, l.presentment_currency, l.currency),
  coalesce(s.amount_minor, l.presentment_minor, abs(l.amount_minor))
from booked_row l
left join named_dispute n on l.record_kind = 'dispute' and l.record_id = l.payment_id and n.provider = l.provider and n.payment_id = l.payment_id
left join named_refund f on l.record_kind = 'refund' and f.provider = l.provider and f.record_id = l.record_id
left join payment_capture c on l.record_kind = 'payment' and c.provider = l.provider and c.payment_id = l.payment_id and c.capture_id = l.row_id
left join refund r on l.payment_id is null and l.record_kind = 'refund' and r.provider = l.provider and r.refund_id = l.record_id
left join dispute d on l.payment_id is null and l.record_kind = 'dispute' and d.provider = l.provider and d.dispute_id = l.record_id
left join presentment_echo s on s.provider = l.provider and s.row_id = l.row_id
where l.payment_id is not null or l.record_id is not null
