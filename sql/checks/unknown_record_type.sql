-- {provider} reports the {word_of} "{word}" on {records} record(s), and there is no rule for it; the records are kept,
-- their money as other.
--
-- Why it matters: the meaning of this kind of record is unknown, so its money is unexplained.
-- What clears it: a version of Crossfoot with a rule for it.
-- Suggested action: Engineering: look the value up in the provider's documentation and add a rule; Finance: assess the
-- amount until then.
-- Severity: medium
-- Rests on: nothing
-- Also reads: ledger

-- One row per value. A record counts once: one whose type is unknown is not counted again for its fee lines.
with first_word as (
  select u.provider, u.record_id, u.word_of, u.word, u.account, u.seen_at, u.currency, u.amount_minor,
    row_number() over (partition by u.provider, u.record_id
      order by case when u.word_of = 'fee_details.type' then 1 else 0 end, u.word_of) as choice
  from unknown_word u
),
seen as (
  select m.moment, u.provider, u.record_id, u.word_of, u.word, u.account, u.seen_at,
    coalesce(u.currency, '') as currency,
    coalesce(u.amount_minor, 0) as amount_minor,
    u.provider || ':' || u.word_of || ':' || u.word as subject
  from first_word u
  join moment m on u.seen_at < m.instant
  where u.choice = 1
),
placed as (
  select moment, subject, record_id, row_number() over (partition by moment, subject order by seen_at,
    record_id) as place
  from seen
),
listed as (
  select moment, subject, row_number() over (partition by moment, subject order by place desc) as turn,
    group_concat(record_id, ' ') over (partition by moment,
      subject order by place rows between unbounded preceding and current row) as ids
  from placed
  where place <= 10
),
summed as (
  select moment, subject, provider, word_of, word, min(account) as account, count(*) as records, min(seen_at) as since,
    min(currency) as first_currency, max(currency) as last_currency, cast(sum(amount_minor) as bigint) as amount_minor
  from seen
  group by moment, subject, provider, word_of, word
)
select s.moment, s.subject, s.provider, s.account, '' as order_id, '' as payment_id, l.ids as record_id,
  case when s.first_currency = s.last_currency then s.first_currency else '' end as currency,
    cast(null as bigint) as expected_minor,
  case when s.first_currency = s.last_currency and s.first_currency <> '' then s.amount_minor end as actual_minor,
    s.since,
  '' as connected_account, cast(s.records as text) as records, s.word_of, s.word
from summed s
join listed l on l.moment = s.moment and l.subject = s.subject and l.turn = 1
order by s.moment, s.subject
