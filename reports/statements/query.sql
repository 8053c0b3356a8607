-- The statements of the connected accounts: opening, every movement of the range, closing, for each provider, account
-- and currency.
--
-- The opening is all that was booked before the range, so that the closing of one period is the opening of the next,
-- whatever the periods are. Amounts of a range add up to connected_net of connected_accounts.csv; payouts from the
-- account to its own bank are beside them. An account without a movement has a statement while it has a balance. What
-- a transfer takes no known account for is nobody's statement (connected_account unknown). An order is named where it
-- is the account's: by its seller_account, or as the payment has no other account. Where the range begins with the
-- first open day, the opening is what the period before was closed with, and what became known of it since is in
-- lines of its own. $1 is the range's first instant, $2 its end.
with
  adjusted as (
    select provider, connected_account, currency, place, period, payment_id, order_id, record_id, figure, change_minor
    from prior_period_adjustment
    where is_first_day = 1 and connected_account not in ('', 'unknown')
  ),
  moved as (
    select e.provider, e.connected_account, e.currency, e.entry_id, e.row_id, e.record_id, e.booked_at, e.flow_key,
      e.payment_id, e.kind, e.amount_minor,
      case when substr(e.to_party, 1, 10) = 'connected:' then e.amount_minor else -e.amount_minor end as change_minor
    from entry e
    where e.booked_at < $2 and e.connected_account is not null and e.connected_account not in ('', 'unknown')
  ),
  balance as (
    select b.provider, b.connected_account, b.currency, cast(sum(b.opening_minor) as bigint) as opening_minor,
      cast(sum(b.opening_minor + b.moved_minor) as bigint) as closing_minor, sum(b.movements) as movements
    from (
      select provider, connected_account, currency, case when booked_at < $1 then change_minor
        else 0 end as opening_minor,
        case when booked_at < $1 then 0 else change_minor end as moved_minor,
          case when booked_at < $1 then 0 else 1 end as movements
      from moved
      union all
      select provider, connected_account, currency, amount_minor, 0, 0
      from kept_sum_at
      where name = 'connected' and connected_account <> 'unknown'
      union all
      select provider, connected_account, currency, - change_minor, change_minor, 1
      from adjusted
    ) b
    group by b.provider, b.connected_account, b.currency
  ),
  movement as (
    select m.provider, m.connected_account, m.currency, m.entry_id, m.row_id, m.record_id, m.booked_at, m.flow_key,
      m.payment_id, m.kind, m.change_minor,
      cast(b.opening_minor + coalesce(a.change_minor, 0) + sum(m.change_minor) over (partition by m.provider, m.connected_account,
        m.currency order by m.booked_at, m.entry_id
        rows between unbounded preceding and current row) as bigint) as balance_minor,
      -- What happened to the customer's payment in the same moment and amount, where the provider divides it at once.
      case when m.kind in ('transfer', 'transfer_reversal') then (
        select min(c.kind)
        from entry c
        where c.flow_key = m.flow_key and +c.booked_at = m.booked_at and c.currency = m.currency
          and c.amount_minor = m.amount_minor
          and (c.from_party = 'customer' and m.kind = 'transfer' or c.to_party = 'customer'
            and m.kind = 'transfer_reversal')) end as cause
    from moved m
    join balance b on b.provider = m.provider and b.connected_account = m.connected_account and b.currency = m.currency
    left join (
      select provider, connected_account, currency, cast(sum(change_minor) as bigint) as change_minor
      from adjusted
      group by provider, connected_account, currency
    ) a on a.provider = m.provider and a.connected_account = m.connected_account and a.currency = m.currency
    where m.booked_at >= $1
  ),
  refunded as (
    select provider, row_id from transfer_reversal where row_id is not null and refund_id is not null
    union
    select r.provider, r.row_id
    from refund f
    join transfer_reversal r on r.provider = f.provider and r.reversal_id = f.reversal_id
    where r.row_id is not null
  ),
  charged as (
    select distinct c.provider, c.row_id
    from movement m
    join entry c on c.provider = m.provider and c.row_id = m.row_id and c.kind = 'fee'
    where m.kind = 'adjustment'
  ),
  shared as (
    select flow_key, count(*) as accounts from payment_member group by flow_key
  ),
  claim as (
    select distinct m.flow_key, m.connected_account, o.order_id
    from (select distinct flow_key, connected_account from movement where flow_key is not null) m
    join pair_at p on p.moment = 1 and p.flow_key = m.flow_key
    join customer_order o on o.order_id = p.order_id
    left join shared s on s.flow_key = m.flow_key
    where coalesce(o.seller_account, '') = m.connected_account
      or (coalesce(o.seller_account, '') = '' and coalesce(s.accounts, 1) = 1)
  ),
  ordered as (
    select flow_key, connected_account, row_number() over (partition by flow_key,
      connected_account order by order_id) as place,
      group_concat(order_id, ' ') over (partition by flow_key, connected_account order by order_id
        rows between unbounded preceding and unbounded following) as order_ids
    from claim
  ),
  line as (
    select provider, connected_account, currency, 0 as place, 'opening' as part, 'opening' as type,
      cast($1 as bigint) as booked_at, '' as entry_id,
      '' as payment_id, '' as order_id, '' as reference, cast(null as bigint) as amount_minor,
        cast(null as bigint) as paid_out_minor,
      opening_minor as balance_minor, cast(0 as bigint) as line_no
    from balance
    where movements > 0 or opening_minor <> 0
    union all
    select a.provider, a.connected_account, a.currency, 1, 'movement', 'adjustment_of_' || a.period, cast($1 as bigint),
      '', a.payment_id, a.order_id, a.record_id, case a.figure when 'paid_out' then null else a.change_minor end,
      case a.figure when 'paid_out' then -a.change_minor end,
      cast(b.opening_minor + sum(a.change_minor) over (partition by a.provider, a.connected_account,
        a.currency order by a.place rows between unbounded preceding and current row) as bigint), a.place
    from adjusted a
    join balance b on b.provider = a.provider and b.connected_account = a.connected_account and b.currency = a.currency
    union all
    select m.provider, m.connected_account, m.currency, 2, 'movement',
      case
        when m.kind = 'transfer' and m.cause in ('refund_failure', 'dispute_reversal') then m.cause
        when m.kind = 'transfer' and m.flow_key is not null then 'payment'
        when m.kind = 'transfer_reversal' and f.row_id is not null then 'refund'
        when m.kind = 'transfer_reversal' and m.cause in ('refund', 'dispute', 'charge_failure') then m.cause
        when m.kind = 'adjustment' and c.row_id is not null then case when m.change_minor < 0 then 'fee'
          else 'fee_refund' end
        else m.kind
      end,
      m.booked_at, m.entry_id, coalesce(m.payment_id, ''), coalesce(o.order_ids, ''),
        coalesce(t.bank_reference, m.record_id),
      case when m.kind in ('payout', 'payout_reversal') then null else m.change_minor end,
      case when m.kind in ('payout', 'payout_reversal') then -m.change_minor end, m.balance_minor, 0
    from movement m
    left join refunded f on f.provider = m.provider and f.row_id = m.row_id
    left join charged c on c.provider = m.provider and c.row_id = m.row_id
    left join ordered o on o.flow_key = m.flow_key and o.connected_account = m.connected_account and o.place = 1
    left join payout t on m.kind in ('payout', 'payout_reversal') and t.provider = m.provider
      and t.payout_id = m.record_id
    union all
    select provider, connected_account, currency, 3, 'closing', 'closing', cast($2 as bigint), '', '', '', '',
      cast(null as bigint), cast(null as bigint),
      closing_minor, 0
    from balance
    where movements > 0 or opening_minor <> 0
  )
select provider, connected_account, currency, part, type, booked_at, payment_id, order_id, reference, amount_minor,
  paid_out_minor, balance_minor
from line
order by provider, connected_account, currency, place, booked_at, line_no, entry_id
