-- Record {record_id} ({kind}) is immutable, but its {fields} changed from {was} to {became}.
--
-- Why it matters: a published report rests on its former content.
-- What clears it: the next range: the newer version is used from now on, and what it changes shows in the reports.
-- Suggested action: Finance: compare the published report with the new one; Engineering: ask the provider why the
-- record changed.
-- Severity: medium
-- Rests on: nothing
-- Also reads: ledger

-- The change was seen after the range ended, by the pull that was made for it: it is dated to the range's last second
-- and stays open until the next range ends. Of several changes of one record the newest is shown.
with change as (
  select m.moment, c.provider, c.record_id, c.account, c.record_kind, c.fields, c.was, c.became,
    least_of(c.changed_at, c.range_to - 1) as since,
    row_number() over (partition by m.moment, c.provider, c.record_id order by c.landed_file desc) as place
  from record_change c
  join moment m on least_of(c.changed_at, c.range_to - 1) < m.instant and m.instant <= c.range_to
)
select c.moment, c.provider || ':' || c.record_id as subject, c.provider, c.account,
  coalesce(g.order_ids, '') as order_id,
  coalesce(k.payment_id, t.payment_id, '') as payment_id, c.record_id, '' as currency,
  cast(null as bigint) as expected_minor, cast(null as bigint) as actual_minor, c.since,
  coalesce(k.connected_account, t.connected_account, '') as connected_account, c.record_kind as kind, c.fields, c.was,
    c.became
from change c
left join row_link k on k.provider = c.provider and k.row_id = c.record_id
left join payment_at t on t.moment = c.moment and t.flow_key = c.provider || ':' || coalesce(k.payment_id, c.record_id)
left join match_node n on n.node = 'p:' || c.provider || ':' || coalesce(k.payment_id, c.record_id)
left join group_at g on g.moment = c.moment and g.group_id = n.group_id
where c.place = 1
order by c.moment, c.provider, c.record_id
