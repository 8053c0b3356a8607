-- Which rows a settlement day pays is worked out anew by every run: a capture may have been read after the row that echoes it.
delete from payout_line
where exists (
  select 1 from settled_net n
  where n.provider = payout_line.provider and n.payout_id = payout_line.payout_id)
