-- People's decisions lie over what a run finds out: the condition itself is kept beside the state, so that a new decision shows at once.
alter table discrepancy add column condition text collate "C" not null default 'new';      -- new persisting resolved, before any decision
