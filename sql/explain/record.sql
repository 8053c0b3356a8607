-- A record that belongs to no payment, wherever it stands. $1: provider or order source, $2: its id.
select s.happened_at, s.kind, s.record_id, s.currency, s.amount_minor, s.word, f.path, s.landed_line
from (
  select l.booked_at as happened_at, 'row' as kind, l.row_id as record_id, l.currency, l.net_minor as amount_minor,
    l.category || coalesce(', of ' || l.source_id, '') || coalesce(', ' || l.description, '') as word, l.landed_file,
      l.landed_line
  from ledger_row l where l.provider = $1 and (l.row_id = $2 or l.row_name = $2 or l.source_id = $2 or l.record_id = $2)
  union all
  select t.created_at, 'transfer', t.transfer_id, t.currency, t.amount_minor,
    'to ' || coalesce(t.connected_account, 'unknown') || ', of no known payment',
    t.landed_file, t.landed_line
  from transfer t where t.provider = $1 and t.transfer_id = $2
  union all
  select v.created_at, 'transfer reversal', v.reversal_id, v.currency, v.amount_minor, 'of transfer ' || v.transfer_id,
    v.landed_file, v.landed_line
  from transfer_reversal v where v.provider = $1 and v.reversal_id = $2
  union all
  select a.created_at, 'application fee', a.fee_id, a.currency, a.amount_minor,
    'from ' || coalesce(a.connected_account, 'unknown'), a.landed_file, a.landed_line
  from application_fee a where a.provider = $1 and a.fee_id = $2
  union all
  select u.created_at, 'application fee refund', u.fee_refund_id, u.currency, u.amount_minor, 'of ' || u.fee_id,
    u.landed_file, u.landed_line
  from application_fee_refund u where u.provider = $1 and u.fee_refund_id = $2
  union all
  select r.created_at, 'refund', r.refund_id, r.currency, r.amount_minor, r.status, r.landed_file, r.landed_line
  from refund r where r.provider = $1 and r.refund_id = $2
  union all
  select d.created_at, 'dispute', d.dispute_id, d.currency, d.amount_minor, d.provider_status, d.landed_file,
    d.landed_line
  from dispute d where d.provider = $1 and d.dispute_id = $2
  union all
  select i.created_at, 'intent', i.intent_id, i.currency, i.amount_minor, i.status, i.landed_file, i.landed_line
  from intent i where i.provider = $1 and i.intent_id = $2
  union all
  select e.happened_at, e.subject || ' event', e.record_id, e.currency, e.amount_minor,
    e.state || ' (' || e.feed || ')', e.landed_file, e.landed_line
  from record_event e where e.provider = $1 and (e.event_id = $2 or e.record_id = $2)
  union all
  select c.at, c.call, c.init_hash, c.currency, c.amount_minor,
    case c.asks_approval when 1 then 'asks for an approval' else '' end, c.landed_file, c.landed_line
  from payment_init_call c where c.source = $1 and c.init_hash = $2
  union all
  select null, 'quarantine', q.record_id, null, null, q.location || ': ' || q.reason, null, null
  from quarantine q where q.source = $1 and (q.record_id = $2 or q.location = $2)
  union all
  select k.expires_at, 'credential', k.key_id, null, null, 'ends then', k.landed_file, k.landed_line
  from credential k where k.provider = $1 and k.key_id = $2
) s
left join landed_file f on f.file_id = s.landed_file
order by s.happened_at nulls last, s.kind, s.record_id, coalesce(s.landed_file, 0), coalesce(s.landed_line, 0), s.word
