-- Every index beside the primary keys, the same on both engines. They are made where they are missing, after what has
-- landed was read: a store that is built from nothing is filled before it is indexed, in one sorted pass each.

create index if not exists application_fee_payment on application_fee (provider, payment_id);
create index if not exists application_fee_refund_fee on application_fee_refund (provider, fee_id);
-- Most rows name no source. Were they in the index, its sample would say that a source narrows nothing down, and the
-- planner would go through every posting of a provider for each payment.
create index if not exists ledger_row_source on ledger_row (provider, source_id) where source_id is not null;
create index if not exists ledger_row_payout on ledger_row (provider, payout_id) where payout_id is not null;
create index if not exists order_refund_order on order_refund (order_id);
create index if not exists payout_line_row on payout_line (provider, row_id);
create index if not exists payout_step_payout on payout_step (provider, payout_id);
-- Few or none: most events are reported whole.
create index if not exists record_event_part on record_event (provider, subject, record_id) where part <> '';
create index if not exists transfer_payment on transfer (provider, payment_id);
create index if not exists transfer_reversal_refund on transfer_reversal (provider, refund_id);

-- The records of a group, and the groups that went into another.
create index if not exists ledger_row_group on ledger_row (group_no);
create index if not exists stated_payment_group on stated_payment (group_no);
create index if not exists intent_group on intent (group_no);
create index if not exists reference_group on reference (group_no);
create index if not exists stated_refund_group on stated_refund (group_no);
create index if not exists transfer_group on transfer (group_no);
create index if not exists transfer_reversal_group on transfer_reversal (group_no);
create index if not exists application_fee_group on application_fee (group_no);
create index if not exists application_fee_refund_group on application_fee_refund (group_no);
create index if not exists stated_dispute_group on stated_dispute (group_no);
create index if not exists dispute_row_group on dispute_row (group_no);
create index if not exists payout_line_group on payout_line (group_no);
create index if not exists customer_order_group on customer_order (group_no);
create index if not exists order_payment_reference_group on order_payment_reference (group_no);
create index if not exists order_refund_group on order_refund (group_no);
create index if not exists record_event_group on record_event (group_no);
create index if not exists settled_net_group on settled_net (group_no);
create index if not exists payment_init_call_group on payment_init_call (group_no);
create index if not exists merged_group_to on merged_group (to_no);
-- What a reading has made one, among all that ever became one.
create index if not exists merged_group_new on merged_group (from_no) where is_relabelled = 0;

-- What is alive: groups by when they settled, and those that were touched.
create index if not exists record_group_settled on record_group (settled_at);
create index if not exists record_group_touched on record_group (group_no) where is_touched = 1;
