-- How many discrepancies came and went within the range.
select count(*) from passed_discrepancy
