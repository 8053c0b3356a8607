-- What a provider needs whose rows are dated anew when their status changes, and whose own name for a row can stand for two.

alter table ledger_row_read add column is_redated integer not null default 0;      -- 1: the date that was read first stands, another is no change
alter table ledger_row_read add column row_name text;           -- the provider's own name for the row, where row_id has to be more than that
alter table ledger_row add column row_name text;
alter table entry add column row_name text;                     -- as reports name the ledger row; null: by its row_id

drop view booked_row;
create view booked_row as               -- the ledger rows that count
select l.row_no, l.provider, l.row_id, l.account, l.category, l.source_id, l.currency, l.amount_minor, l.fee_minor, l.net_minor, l.exchange_rate, l.booked_at,
  l.available_at, l.description, l.known_category, l.fee_sum_minor, l.late_since, l.late_until, l.first_landed_at, l.payment_id, l.record_id,
  l.record_kind, l.connected_account, l.presentment_currency, l.presentment_minor, l.landed_file, l.landed_line, l.row_name, l.payout_id
from ledger_row l
where l.is_echo = 0 or not exists (select 1 from row_echo e where e.provider = l.provider and e.row_id = l.row_id);

create view named_dispute as            -- the dispute of a payment that the provider knows by an id: the first, where there are several
select d.provider, d.payment_id, d.dispute_id
from (
  select e.provider, e.payment_id, e.record_id as dispute_id,
    row_number() over (partition by e.provider, e.payment_id order by e.happened_at, e.record_id) as place
  from record_event e
  where e.subject = 'dispute' and e.payment_id is not null and e.record_id <> e.payment_id
) d
where d.place = 1;
