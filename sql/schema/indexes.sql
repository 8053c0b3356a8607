-- Every index beside the primary keys, the same on both engines. They are made where they are missing, after what has landed was read: a store
-- that is built from nothing is filled before it is indexed, in one sorted pass each.

create index if not exists application_fee_payment on application_fee (provider, payment_id);
create index if not exists application_fee_refund_fee on application_fee_refund (provider, fee_id);
create index if not exists dispute_payment on dispute (provider, payment_id);
-- Most rows name no source. Were they in the index, its sample would say that a source narrows nothing down, and the planner would go through every
-- posting of a provider for each payment.
create index if not exists ledger_row_source on ledger_row (provider, source_id) where source_id is not null;
create index if not exists ledger_row_payout on ledger_row (provider, payout_id) where payout_id is not null;
create index if not exists order_payment_reference_value on order_payment_reference (value);
create index if not exists order_refund_order on order_refund (order_id);
create index if not exists payment_intent on payment (provider, intent_id);
create index if not exists payout_line_row on payout_line (provider, row_id);
create index if not exists payout_step_payout on payout_step (provider, payout_id);
create index if not exists record_event_part on record_event (provider, subject, record_id) where part <> '';      -- few or none: most happenings are told whole
create index if not exists reference_value on reference (value);
create index if not exists refund_payment on refund (provider, payment_id);
create index if not exists refund_reversal on refund (provider, reversal_id);
create index if not exists transfer_payment on transfer (provider, payment_id);
create index if not exists transfer_reversal_refund on transfer_reversal (provider, refund_id);

-- What every run derives anew.
create index if not exists entry_flow on entry (flow_key);
create index if not exists entry_booked on entry (booked_at);
create index if not exists entry_row on entry (provider, row_id);
create index if not exists match_link_order on match_link (order_id);
create index if not exists match_node_group on match_node (group_id);
create index if not exists order_hash_hash on order_hash (init_hash);
create index if not exists pair_at_group on pair_at (moment, group_id);
create index if not exists pair_at_flow on pair_at (moment, flow_key);
create index if not exists pair_at_order on pair_at (moment, order_id);
create index if not exists payment_hash_hash on payment_hash (init_hash);
create index if not exists payment_reference_value on payment_reference (value);
create index if not exists presentment_echo_record on presentment_echo (provider, payment_id, record_id);
create index if not exists refund_at_flow on refund_at (moment, flow_key);
create index if not exists refund_match_at_group on refund_match_at (moment, group_id);
create index if not exists row_echo_of on row_echo (provider, echoes_row_id);
