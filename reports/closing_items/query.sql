-- What every balance at the range's end is made of, with its age: the items of an account add up to its closing in the
-- roll-forward.
select scope, provider, account, connected_account, currency, kind, payment_id, order_id, record_id, amount_minor,
  coalesce(since, '') as since, age_days
from closing_item
order by scope desc, provider, account, connected_account, currency, case when since is null then 1 else 0 end, since,
  kind, payment_id, record_id, order_id
