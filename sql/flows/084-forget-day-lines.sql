-- Which rows a settlement day pays is worked out anew by every run: a capture may have been read after the row that echoes it.
delete from payout_line
where (provider, payout_id) in (select n.provider, n.payout_id from settled_net n)
