-- What says that something is to come: the end of a key.

create table credential (               -- a key of ours with an end, as its provider states it; no secret
  provider text not null, account text not null, key_id text not null, expires_at integer not null,
  landed_file integer not null, landed_line integer not null,
  primary key (provider, key_id)
) strict;
