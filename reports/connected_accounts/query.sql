-- Every connected account and currency: the day's movements, and what is open at its end.
--
-- Sums over the entries booked in the range; gross and refunded are those of the payments that belong to the account
-- (whoever received a transfer of the payment, else who should have); what was paid out of an account to its own bank
-- changes nothing here. An account without an entry in the range has a row where a dispute or a discrepancy of it is
-- open. $1 is the range's first instant, $2 its end.
with
  reached as (
    select distinct flow_key, connected_account
    from entry
    where booked_at < $2 and flow_key is not null and connected_account is not null and connected_account <> ''
  ),
  member as (
    select flow_key, connected_account from reached
    union
    select p.flow_key, coalesce(p.connected_account, p.destination)
    from payment_at p
    left join reached r on r.flow_key = p.flow_key
    where p.moment = 1 and r.flow_key is null and coalesce(p.connected_account, p.destination, '') <> ''
  ),
  movement as (
    select e.provider, e.connected_account, e.currency, e.flow_key, e.kind, e.from_party, e.to_party, e.amount_minor
    from entry e
    where e.booked_at >= $1 and e.booked_at < $2 and e.connected_account is not null and e.connected_account <> ''
      and e.kind not in ('capture', 'charge_failure', 'refund', 'refund_failure', 'payout', 'payout_reversal')
    union all
    select e.provider, m.connected_account, e.currency, e.flow_key, e.kind, e.from_party, e.to_party, e.amount_minor
    from entry e
    join member m on m.flow_key = e.flow_key
    where e.booked_at >= $1 and e.booked_at < $2 and e.kind in ('capture', 'charge_failure', 'refund', 'refund_failure')
  ),
  total as (
    select provider, connected_account, currency, count(distinct flow_key) as payments,
      cast(sum(case when kind not in ('capture', 'charge_failure') then 0 when from_party = 'customer' then amount_minor
        else -amount_minor end) as bigint) as gross_minor,
      cast(sum(case when kind not in ('refund', 'refund_failure') then 0 when to_party = 'customer' then amount_minor
        else -amount_minor end) as bigint) as refunded_minor,
      cast(sum(case when kind = 'transfer' then amount_minor else 0 end) as bigint) as transferred_minor,
      cast(sum(case when kind = 'transfer_reversal' then amount_minor else 0 end) as bigint) as transfer_reversed_minor,
      cast(sum(case when kind = 'application_fee' then amount_minor else 0 end) as bigint) as application_fee_minor,
      cast(sum(case when kind = 'application_fee_refund' then amount_minor
        else 0 end) as bigint) as application_fee_refunded_minor,
      cast(sum(case when substr(to_party, 1, 10) = 'connected:' then amount_minor
        when substr(from_party, 1, 10) = 'connected:' then -amount_minor else 0 end) as bigint) as connected_net_minor
    from movement
    group by provider, connected_account, currency
  ),
  disputed as (
    select d.provider, m.connected_account, coalesce(p.settlement_currency, d.currency) as currency,
      count(*) as open_disputes
    from dispute d
    join payment_at p on p.moment = 1 and p.flow_key = d.provider || ':' || d.payment_id
    join member m on m.flow_key = p.flow_key
    where d.status = 'open' and d.created_at < $2
    group by d.provider, m.connected_account, coalesce(p.settlement_currency, d.currency)
  ),
  home as (
    select s.connected_account, min(s.provider) as provider
    from (
      select connected_account, provider from entry where booked_at < $2 and connected_account is not null
        and connected_account <> ''
      union
      select connected_account, provider from kept_sum_at where name = 'connected'
    ) s
    group by s.connected_account
  ),
  open_one as (
    select case when d.provider = '' then coalesce(h.provider, '') else d.provider end as provider, d.connected_account,
      coalesce(p.settlement_currency, d.currency) as currency
    from discrepancy d
    left join home h on h.connected_account = d.connected_account
    left join payment_at p on p.moment = 1 and p.flow_key = d.provider || ':' || d.payment_id
    where d.state in ('new', 'persisting') and d.connected_account <> ''
  ),
  unsettled as (
    select provider, connected_account, currency, count(*) as open_discrepancies
    from open_one
    where provider <> '' and currency <> ''
    group by provider, connected_account, currency
  ),
  account as (
    select provider, connected_account, currency from total
    union
    select provider, connected_account, currency from disputed
    union
    select provider, connected_account, currency from unsettled
  )
select
  a.provider, a.connected_account, a.currency, coalesce(t.payments, 0) as payments,
  coalesce(t.gross_minor, 0) as gross_minor, coalesce(t.refunded_minor, 0) as refunded_minor,
  coalesce(t.transferred_minor, 0) as transferred_minor,
    coalesce(t.transfer_reversed_minor, 0) as transfer_reversed_minor,
  coalesce(t.application_fee_minor, 0) as application_fee_minor,
  coalesce(t.application_fee_refunded_minor, 0) as application_fee_refunded_minor,
  coalesce(t.connected_net_minor, 0) as connected_net_minor,
  coalesce(d.open_disputes, 0) as open_disputes, coalesce(u.open_discrepancies, 0) as open_discrepancies
from account a
left join total t on t.provider = a.provider and t.connected_account = a.connected_account and t.currency = a.currency
left join disputed d on d.provider = a.provider and d.connected_account = a.connected_account
  and d.currency = a.currency
left join unsettled u on u.provider = a.provider and u.connected_account = a.connected_account
  and u.currency = a.currency
order by a.provider, a.connected_account, a.currency
