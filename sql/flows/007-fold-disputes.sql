-- A dispute from its events: the newest says how it stands, the first when it began. An event that names only the payment (a money row) is one of
-- the dispute that its provider knows by an id, and where there is none it makes one that goes by the payment's. Its reason is what a webhook or an
-- API says of it; a money row knows its own code only, or none, and then whatever says one is heard.
insert into dispute (
  provider, dispute_id, payment_id, status, provider_status, reason, currency, amount_minor, created_at, respond_by, landed_file, landed_line)
with told as (
  select e.provider, case e.record_id when e.payment_id then coalesce(n.dispute_id, e.record_id) else e.record_id end as record_id, e.payment_id,
    e.event_id, e.state, e.feed, e.currency, e.amount_minor, e.happened_at, e.until_at, e.detail, e.landed_file, e.landed_line
  from told_event e
  left join named_dispute n on n.provider = e.provider and n.payment_id = e.payment_id
  where e.subject = 'dispute'
),
ranked as (
  select e.provider, e.record_id, e.state, e.detail, e.happened_at, e.landed_file, e.landed_line,
    row_number() over (partition by e.provider, e.record_id order by e.happened_at desc,
      case e.state when 'inquiry' then 1 when 'opened' then 2 when 'won' then 3 when 'closed' then 4 else 5 end desc, e.event_id desc) as place,
    min(e.happened_at) over (partition by e.provider, e.record_id) as created_at,
    max(e.until_at) over (partition by e.provider, e.record_id) as until_at,
    max(e.payment_id) over (partition by e.provider, e.record_id) as payment_id,
    max(case when e.feed = 'settlement' then null else e.detail end) over (partition by e.provider, e.record_id) as told_detail,
    max(e.detail) over (partition by e.provider, e.record_id) as any_detail
  from told e
),
by_order as (                            -- the payment of a dispute that never names it: the only one that has its merchant reference
  select w.provider, w.record_id, min(q.owner_id) as payment_id
  from (
    select e.provider, e.record_id
    from told e
    group by e.provider, e.record_id
    having max(e.payment_id) is null
  ) w
  join reference r on r.provider = w.provider and r.owner_id = w.record_id
  join reference q on q.provider = r.provider and q.value = r.value and q.name = r.name
  join payment p on p.provider = q.provider and p.payment_id = q.owner_id and p.is_declined = 0
  group by w.provider, w.record_id
  having count(distinct q.owner_id) = 1
),
first_word as (
  select e.provider, e.record_id, e.currency, e.amount_minor, e.detail,
    row_number() over (partition by e.provider, e.record_id
      order by case e.state when 'opened' then 0 else 1 end, case e.feed when 'settlement' then 0 when 'webhook' then 1 else 2 end,
        e.happened_at, e.event_id) as place
  from told e
)
select n.provider, n.record_id, coalesce(n.payment_id, o.payment_id), case n.state when 'opened' then 'open' else n.state end, n.state,
  coalesce(n.told_detail, w.detail, n.detail, n.any_detail),
  w.currency, w.amount_minor, n.created_at, n.until_at, n.landed_file, n.landed_line
from ranked n
join first_word w on w.provider = n.provider and w.record_id = n.record_id and w.place = 1
left join by_order o on o.provider = n.provider and o.record_id = n.record_id
where n.place = 1
