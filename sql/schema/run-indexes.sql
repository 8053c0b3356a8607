-- The indexes of what a run derives, the same on both engines.

create index day_line_row on day_line (provider, row_id);
create index dispute_payment on dispute (provider, payment_id);
create index entry_booked on entry (booked_at);
create index entry_flow on entry (flow_key);
create index entry_row on entry (provider, row_id);
create index match_link_order on match_link (order_id);
create index match_node_group on match_node (group_id);
create index order_hash_hash on order_hash (init_hash);
create index pair_at_flow on pair_at (moment, flow_key);
create index pair_at_group on pair_at (moment, group_id);
create index pair_at_order on pair_at (moment, order_id);
create index payment_hash_hash on payment_hash (init_hash);
create index payment_intent on payment (provider, intent_id);
create index payment_reference_value on payment_reference (value);
create index presentment_echo_record on presentment_echo (provider, payment_id, record_id);
create index refund_at_flow on refund_at (moment, flow_key);
create index refund_match_at_group on refund_match_at (moment, group_id);
create index refund_payment on refund (provider, payment_id);
create index refund_reversal on refund (provider, reversal_id);
create index row_echo_of on row_echo (provider, echoes_row_id);
create index payment_at_batch on payment_at (batch_no);
create index payment_reference_batch on payment_reference (batch_no);
create index refund_at_batch on refund_at (batch_no);
create index refund_batch on refund (batch_no);
