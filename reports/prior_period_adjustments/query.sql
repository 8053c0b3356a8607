-- What of closed periods turned out otherwise after they were sealed, of the open period of the range: what no seal of
-- a later period lists yet.
select period, learned_at, provider, account, connected_account, currency, payment_id, order_id, record_id, reason,
  figure, before_minor, after_minor, change_minor
from prior_period_adjustment
order by period, learned_at, provider, account, connected_account, currency, figure, record_id, place
