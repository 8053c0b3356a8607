-- The control total in one line per provider account and currency: captured less tender is the sum of the
-- discrepancies, what is pending, what lies within tolerance, and a residual.
--
-- Cumulative to the range's end. A line without an account is about orders that no payment of an account has answered.
select
  provider, account, currency,
  cast(sum(case when label = 'captured' then amount_minor else 0 end) as bigint) as captured_minor,
  cast(sum(case when label = 'tender' then amount_minor else 0 end) as bigint) as tender_minor,
  cast(sum(case when label in ('captured', 'tender', 'pending', 'within_tolerance', 'residual') then 0
    else amount_minor end) as bigint)
    as discrepancies_minor,
  cast(sum(case when label = 'pending' then amount_minor else 0 end) as bigint) as pending_minor,
  cast(sum(case when label = 'within_tolerance' then amount_minor else 0 end) as bigint) as within_tolerance_minor,
  cast(sum(case when label = 'residual' then amount_minor else 0 end) as bigint) as residual_minor,
  min(holds) as holds
from proof_line
where proof = 'control_total'
group by provider, account, currency
order by provider, account, currency
