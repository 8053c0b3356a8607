-- The records behind a payment, in time order, each with the landed file and line it is in. $1: flow_key.
select s.happened_at, s.kind, s.record_id, s.currency, s.amount_minor, s.word, f.path, s.landed_line
from (
  select p.created_at as happened_at, 'payment' as kind, p.payment_id as record_id, p.currency, p.amount_minor,
    p.status || case when p.is_captured = 1 then ', captured' else ', not captured' end as word, p.landed_file,
      p.landed_line
  from payment p where p.flow_key = $1
  union all
  select e.happened_at, e.subject || ' event',
    case when e.event_id = e.record_id or substr(e.event_id, 1, length(e.record_id) + 1) = e.record_id || '#'
      then e.record_id else e.record_id || ' ' || e.event_id end,
    e.currency, e.amount_minor, e.state || ' (' || e.feed || ')' || coalesce(', ' || e.detail, ''), e.landed_file,
      e.landed_line
  from payment p join told_event e on e.provider = p.provider and e.payment_id = p.payment_id where p.flow_key = $1
  union all
  select c.at, c.call, c.init_hash, c.currency, c.amount_minor,
    case c.asks_approval when 1 then 'asks for an approval' else '' end, c.landed_file, c.landed_line
  from payment_hash h join payment_init_call c on c.init_hash = h.init_hash where h.flow_key = $1
  union all
  select i.created_at, 'intent', i.intent_id, i.currency, i.amount_minor, i.status, i.landed_file, i.landed_line
  from payment_at y join intent i on i.provider = y.provider and i.intent_id = y.intent_id where y.moment = 1
    and y.flow_key = $1
  union all
  select r.created_at, 'refund', r.refund_id, r.currency, r.amount_minor, r.status, r.landed_file, r.landed_line
  from payment_at y join refund r on r.provider = y.provider and r.payment_id = y.payment_id where y.moment = 1
    and y.flow_key = $1
  union all
  select t.created_at, 'transfer', t.transfer_id, t.currency, t.amount_minor,
    'to ' || coalesce(t.connected_account, 'unknown') || ', joined by ' || j.joined_by,
    t.landed_file, t.landed_line
  from payment_at y
  join payment_transfer j on j.provider = y.provider and j.payment_id = y.payment_id
  join transfer t on t.provider = j.provider and t.transfer_id = j.transfer_id
  where y.moment = 1 and y.flow_key = $1
  union all
  select v.created_at, 'transfer reversal', v.reversal_id, v.currency, v.amount_minor,
    coalesce('for refund ' || v.refund_id, 'without a refund'),
    v.landed_file, v.landed_line
  from payment_at y
  join payment_transfer j on j.provider = y.provider and j.payment_id = y.payment_id
  join transfer_reversal v on v.provider = j.provider and v.transfer_id = j.transfer_id
  where y.moment = 1 and y.flow_key = $1
  union all
  select a.created_at, 'application fee', a.fee_id, a.currency, a.amount_minor,
    'from ' || coalesce(a.connected_account, 'unknown'), a.landed_file, a.landed_line
  from payment_at y join application_fee a on a.provider = y.provider and a.payment_id = y.payment_id
    where y.moment = 1 and y.flow_key = $1
  union all
  select u.created_at, 'application fee refund', u.fee_refund_id, u.currency, u.amount_minor, 'of ' || u.fee_id,
    u.landed_file, u.landed_line
  from payment_at y
  join application_fee a on a.provider = y.provider and a.payment_id = y.payment_id
  join application_fee_refund u on u.provider = a.provider and u.fee_id = a.fee_id
  where y.moment = 1 and y.flow_key = $1
  union all
  select d.created_at, 'dispute', d.dispute_id, d.currency, d.amount_minor, d.provider_status, d.landed_file,
    d.landed_line
  from payment_at y join dispute d on d.provider = y.provider and d.payment_id = y.payment_id where y.moment = 1
    and y.flow_key = $1
) s
left join landed_file f on f.file_id = s.landed_file
order by s.happened_at, s.kind, s.record_id, coalesce(s.landed_file, 0), coalesce(s.landed_line, 0), s.word
