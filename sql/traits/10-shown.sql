-- What the records of each provider have shown: what it once reports says how to take what it does not.
insert into provider_trait (provider, trait, value)
select t.provider, t.trait, ''
from (
  select e.provider, 'events' as trait from record_event e
  union
  select n.provider, 'settled_rows' from settled_net n
  union
  select l.provider, 'dispute_rows'
  from posting k
  join ledger_row l on l.row_no = k.row_no
  where k.kind in ('dispute', 'dispute_reversal')
  union
  select e.provider, 'dispute_api' from record_event e where e.subject = 'dispute' and e.feed = 'api'
) t
left join provider_trait p on p.provider = t.provider and p.trait = t.trait
where p.provider is null
