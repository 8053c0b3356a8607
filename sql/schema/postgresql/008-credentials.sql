-- What says that something is to come: the end of a key.

create table credential (               -- a key of ours with an end, as its provider states it; no secret
  provider text collate "C" not null, account text collate "C" not null, key_id text collate "C" not null, expires_at bigint not null,
  landed_file bigint not null, landed_line bigint not null,
  primary key (provider, key_id)
);
