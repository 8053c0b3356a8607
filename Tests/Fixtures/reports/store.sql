-- A small night by hand, 2026-03-01 UTC (1772323200 … 1772409600): what the stages before would have left in the
-- derived tables.
-- ch_1: 10.00 USD with an application fee (S01). ch_2: the same by transfer amount, refunded 3.33 with its reversal
-- (S02, S08).
-- ch_3: 500 JPY for two orders. ch_4: 5.120 KWD on the platform. ch_5: an order in EUR paid in USD. o=6: not paid.
-- ch_7: nobody's.
insert into moment (moment, instant) values (0, 1772323200), (1, 1772409600);

insert into customer_order (order_id, source, placed_at, status, currency, total_minor, tender_minor, landed_file,
  landed_line) values
  ('o1', 'shop', 1772323200, 'paid', 'USD', 1000, 1000, 1, 1),
  ('o2', 'shop', 1772323201, 'partially_refunded', 'USD', 1000, 1000, 1, 2),
  ('o3', 'shop', 1772323202, 'paid', 'JPY', 200, 200, 1, 3), ('o4', 'shop', 1772323203, 'paid', 'JPY', 300, 300, 1, 4),
  ('-o5', 'shop', 1772323204, 'paid', 'EUR', 700, 700, 1, 5),
  ('=o6', 'shop', 1772323205, 'paid', 'KWD', 1500, 1500, 1, 6),
  ('o8', 'shop', 1772236800, 'paid', 'USD', 100, 100, 1, 7);
insert into order_refund (refund_id, source, order_id, refunded_at, currency, amount_minor, landed_file,
  landed_line) values
  ('or2', 'shop', 'o2', 1772323300, 'USD', 333, 2, 1), ('or2b', 'shop', 'o2', 1772409600, 'USD', 1, 2, 2);

insert into entry (entry_id, provider, account, flow_key, payment_id, kind, from_party, to_party, connected_account,
  currency, amount_minor,
  presentment_currency, presentment_minor, exchange_rate, fee_type, description, booked_at, available_at, payout_id,
  row_id, record_id) values
  ('e1', 'stripe', 'acct_P', 'stripe:ch_1', 'ch_1', 'capture', 'customer', 'platform', null, 'USD', 1000, 'USD', 1000,
    null, null, null,
    1772323300, 1772500000, 'po_1', 'txn_1', 'ch_1'),
  ('e2', 'stripe', 'acct_P', 'stripe:ch_1', 'ch_1', 'fee', 'platform', 'provider', null, 'USD', 59, null, null, null,
    'processing',
    'Stripe "processing", fees', 1772323300, 1772500000, 'po_1', 'txn_1', 'ch_1'),
  ('e3', 'stripe', 'acct_P', 'stripe:ch_1', 'ch_1', 'transfer', 'platform', 'connected:acct_A', 'acct_A', 'USD', 1000,
    null, null, null, null,
    null, 1772323301, null, 'po_1', 'txn_2', 'tr_1'),
  ('e4', 'stripe', 'acct_P', 'stripe:ch_1', 'ch_1', 'application_fee', 'connected:acct_A', 'platform', 'acct_A',
    'USD', 123, null, null, null,
    'application', null, 1772323302, null, 'po_1', 'txn_3', 'fee_1'),
  ('e5', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'capture', 'customer', 'platform', null, 'USD', 1000, 'USD', 1000,
    null, null, null,
    1772323400, 1772500000, null, 'txn_4', 'ch_2'),
  ('e6', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'fee', 'platform', 'provider', null, 'USD', 59, null, null, null,
    'processing', null,
    1772323400, 1772500000, null, 'txn_4', 'ch_2'),
  ('e7', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'transfer', 'platform', 'connected:acct_A', 'acct_A', 'USD', 877,
    null, null, null, null,
    null, 1772323401, null, null, 'txn_5', 'tr_2'),
  ('e8', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'refund', 'platform', 'customer', null, 'USD', 333, 'USD', 333,
    null, null, null,
    1772323500, null, null, 'txn_6', 're_2'),
  ('e9', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'fee', 'provider', 'platform', null, 'USD', 5, null, null, null,
    'processing',
    'Stripe processing fee refund', 1772323500, null, null, 'txn_6', 're_2'),
  ('ea', 'stripe', 'acct_P', 'stripe:ch_2', 'ch_2', 'transfer_reversal', 'connected:acct_A', 'platform', 'acct_A',
    'USD', 292, null, null, null,
    null, null, 1772323501, null, null, 'txn_7', 'trr_2'),
  ('eb', 'stripe', 'acct_P', 'stripe:ch_3', 'ch_3', 'capture', 'customer', 'platform', null, 'JPY', 500, 'JPY', 500,
    null, null, null,
    1772323600, null, null, 'txn_8', 'ch_3'),
  ('ec', 'stripe', 'acct_P', 'stripe:ch_3', 'ch_3', 'fee', 'platform', 'provider', null, 'JPY', 18, null, null, null,
    'processing', null,
    1772323600, null, null, 'txn_8', 'ch_3'),
  ('ed', 'stripe', 'acct_P', 'stripe:ch_4', 'ch_4', 'capture', 'customer', 'platform', null, 'KWD', 5120, 'KWD', 5120,
    null, null, null,
    1772323700, null, null, 'txn_9', 'ch_4'),
  ('ee', 'stripe', 'acct_P', 'stripe:ch_5', 'ch_5', 'capture', 'customer', 'platform', null, 'CAD', 952, 'USD', 700,
    '1.36', null, null,
    1772323800, null, null, 'txn_a', 'ch_5'),
  ('ef', 'stripe', 'acct_P', null, null, 'fee', 'platform', 'provider', null, 'USD', 47, null, null, null, 'other',
    '+Radar
fee',
    1772323900, null, null, 'txn_b', 'txn_b'),
  ('eg', 'stripe', 'acct_P', null, null, 'payout', 'platform', 'bank', null, 'USD', 64, null, null, null, null, null,
    1772324000, null, null, 'txn_c', 'po_1'),
  ('eh', 'stripe', 'acct_P', 'stripe:ch_7', 'ch_7', 'capture', 'customer', 'platform', null, 'USD', 250, 'USD', 250,
    null, null, null,
    1772409599, null, null, 'txn_d', 'ch_7'),
  ('ei', 'stripe', 'acct_P', 'stripe:ch_8', 'ch_8', 'capture', 'customer', 'platform', null, 'USD', 100, 'USD', 100,
    null, null, null,
    1772236900, null, null, 'txn_e', 'ch_8'),
  ('ej', 'stripe', 'acct_P', 'stripe:ch_8', 'ch_8', 'transfer', 'platform', 'connected:acct_B', 'acct_B', 'USD', 90,
    null, null, null, null,
    null, 1772236901, null, null, 'txn_f', 'tr_8');

insert into transfer_reversal (provider, reversal_id, transfer_id, refund_id, currency, amount_minor, created_at,
  row_id, landed_file, landed_line)
  values ('stripe', 'trr_2', 'tr_2', 're_2', 'USD', 292, 1772323501, 'txn_7', 3, 1);
insert into refund (provider, refund_id, payment_id, status, currency, amount_minor, created_at, row_id,
  is_expired_authorisation, landed_file,
  landed_line) values ('stripe', 're_2', 'ch_2', 'succeeded', 'USD', 333, 1772323500, 'txn_6', 0, 3, 2);

insert into flow (moment, flow_key, currency, provider, account, payment_id, gross_minor, refunded_minor,
  disputed_minor, transferred_minor,
  transfer_reversed_minor, application_fee_minor, application_fee_refunded_minor, provider_fee_minor,
  platform_net_minor, connected_net_minor,
  customer_net_minor, provider_net_minor, other_net_minor, in_range, has_capture) values
  (1, 'stripe:ch_1', 'USD', 'stripe', 'acct_P', 'ch_1', 1000, 0, 0, 1000, 0, 123, 0, 59, 64, 877, -1000, 59, 0, 1, 1),
  (1, 'stripe:ch_2', 'USD', 'stripe', 'acct_P', 'ch_2', 1000, 333, 0, 877, 292, 0, 0, 54, 28, 585, -667, 54, 0, 1, 1),
  (1, 'stripe:ch_3', 'JPY', 'stripe', 'acct_P', 'ch_3', 500, 0, 0, 0, 0, 0, 0, 18, 482, 0, -500, 18, 0, 1, 1),
  (1, 'stripe:ch_4', 'KWD', 'stripe', 'acct_P', 'ch_4', 5120, 0, 0, 0, 0, 0, 0, 0, 5120, 0, -5120, 0, 0, 1, 1),
  (1, 'stripe:ch_5', 'CAD', 'stripe', 'acct_P', 'ch_5', 952, 0, 0, 0, 0, 0, 0, 0, 952, 0, -952, 0, 0, 1, 1),
  (1, 'stripe:ch_7', 'USD', 'stripe', 'acct_P', 'ch_7', 250, 0, 0, 0, 0, 0, 0, 0, 250, 0, -250, 0, 0, 1, 1),
  (1, 'stripe:ch_8', 'USD', 'stripe', 'acct_P', 'ch_8', 100, 0, 0, 90, 0, 0, 0, 0, 10, 90, -100, 0, 0, 0, 1);

insert into payment_at (moment, flow_key, provider, account, payment_id, currency, status, is_captured, captured_at,
  created_at, captured_minor,
  refunded_minor, failed_minor, charged_minor, settlement_currency, settlement_captured_minor, charge_type,
  destination, connected_account,
  transfers, transferred_minor, reversed_minor, fees, fee_collected_minor, fee_returned_minor, disputed_minor,
  is_covered) values
  (1, 'stripe:ch_1', 'stripe', 'acct_P', 'ch_1', 'USD', 'captured', 1, 1772323300, 1772323299, 1000, 0, 0, 1000,
    'USD', 1000,
    'destination_application_fee', 'acct_A', 'acct_A', 1, 1000, 0, 1, 123, 0, 0, 1),
  (1, 'stripe:ch_2', 'stripe', 'acct_P', 'ch_2', 'USD', 'partially_refunded', 1, 1772323400, 1772323399, 1000, 333, 0,
    1000, 'USD', 1000,
    'destination_transfer_amount', 'acct_A', 'acct_A', 1, 877, 292, 0, 0, 0, 0, 1),
  (1, 'stripe:ch_3', 'stripe', 'acct_P', 'ch_3', 'JPY', 'captured', 1, 1772323600, 1772323599, 500, 0, 0, 500, 'JPY',
    500,
    'platform', null, null, 0, 0, 0, 0, 0, 0, 0, 1),
  (1, 'stripe:ch_4', 'stripe', 'acct_P', 'ch_4', 'KWD', 'captured', 1, 1772323700, 1772323699, 5120, 0, 0, 5120,
    'KWD', 5120,
    'destination_full', 'acct_C', 'acct_C', 0, 0, 0, 0, 0, 0, 0, 1),
  (1, 'stripe:ch_5', 'stripe', 'acct_P', 'ch_5', 'USD', 'captured', 1, 1772323800, 1772323799, 700, 0, 0, 700, 'CAD',
    952,
    'platform', null, null, 0, 0, 0, 0, 0, 0, 0, 1),
  (1, 'stripe:ch_7', 'stripe', 'acct_P', 'ch_7', 'USD', 'captured', 1, 1772409599, 1772409598, 250, 0, 0, 250, 'USD',
    250,
    'platform', null, null, 0, 0, 0, 0, 0, 0, 0, 1),
  (1, 'stripe:ch_8', 'stripe', 'acct_P', 'ch_8', 'USD', 'captured', 1, 1772236900, 1772236899, 100, 0, 0, 100, 'USD',
    100,
    'separate', null, 'acct_B', 1, 90, 0, 0, 0, 0, 0, 1);

insert into group_at (moment, group_id, orders, payments, order_currency, payment_currency, tender_minor,
  captured_minor, difference_minor,
  match_status, finding, order_ids, payment_ids, provider, account, since) values
  (1, 'g1', 1, 1, 'USD', 'USD', 1000, 1000, 0, 'matched', 'none', 'o1', 'ch_1', 'stripe', 'acct_P', 0),
  (1, 'g2', 1, 1, 'USD', 'USD', 1000, 1000, 0, 'matched', 'none', 'o2', 'ch_2', 'stripe', 'acct_P', 0),
  (1, 'g3', 2, 1, 'JPY', 'JPY', 500, 500, 0, 'matched', 'none', 'o3 o4', 'ch_3', 'stripe', 'acct_P', 0),
  (1, 'g5', 1, 1, 'EUR', 'USD', 700, 700, null, 'mismatched', 'currency_mismatch', '-o5', 'ch_5', 'stripe', 'acct_P',
    0),
  (1, 'g6', 1, 0, 'KWD', null, 1500, 0, -1500, 'unmatched_order', 'missing_payment', '=o6', '', 'stripe', '', 0),
  (1, 'g7', 0, 1, null, 'USD', 0, 250, 250, 'unmatched_payment', 'missing_order', '', 'ch_7', 'stripe', 'acct_P', 0),
  (1, 'g8', 1, 1, 'USD', 'USD', 100, 100, 0, 'matched', 'none', 'o8', 'ch_8', 'stripe', 'acct_P', 0);
insert into pair_at (moment, group_id, order_id, flow_key, rule, is_comparable) values
  (1, 'g1', 'o1', 'stripe:ch_1', 'payment_references', 1), (1, 'g2', 'o2', 'stripe:ch_2', 'payment_references', 1),
  (1, 'g3', 'o4', 'stripe:ch_3', 'order_reference', 1), (1, 'g3', 'o3', 'stripe:ch_3', 'order_reference', 1),
  (1, 'g5', '-o5', 'stripe:ch_5', 'payment_references', 0), (1, 'g6', '=o6', null, null, 0),
  (1, 'g7', null, 'stripe:ch_7', null, 0),
  (1, 'g8', 'o8', 'stripe:ch_8', 'payment_references', 1);

insert into payout (provider, payout_id, account, currency, amount_minor, created_at, arrival_on, status, is_itemised,
  bank_reference, landed_file,
  landed_line) values
  ('stripe', 'po_1', 'acct_P', 'USD', 64, 1772324000, '2026-03-03', 'paid', 1, '@TRACE-1', 4, 1),
  ('stripe', 'po_2', 'acct_P', 'JPY', 5000, 1772324001, null, 'pending', 0, null, 4, 2),
  ('stripe', 'po_3', 'acct_P', 'USD', 1, 1772409600, null, 'pending', 1, null, 4, 3);
insert into payout_line (provider, payout_id, row_id, currency, net_minor, landed_file, landed_line) values
  ('stripe', 'po_1', 'txn_1', 'USD', 941, 4, 1), ('stripe', 'po_1', 'txn_2', 'USD', -1000, 4, 2),
  ('stripe', 'po_1', 'txn_3', 'USD', 123, 4, 3);

insert into dispute (provider, dispute_id, payment_id, status, provider_status, currency, amount_minor, created_at,
  landed_file, landed_line)
  values ('stripe', 'dp_8', 'ch_8', 'open', 'needs_response', 'USD', 100, 1772237000, 5, 1);

insert into discrepancy (discrepancy_id, type, subject, severity, severity_rank, state, provider, account, order_id,
  payment_id, record_id, currency,
  expected_minor, actual_minor, difference_minor, since, first_seen, last_seen, age_days, owner, explanation,
  suggested_action, decision, note,
  connected_account, counts) values
  ('d1', 'missing_payment', 'order:=o6', 'high', 1, 'new', 'stripe', '', '=o6', '', '', 'KWD', 1500, 0, -1500,
    1772400000, '2026-03-01',
    '2026-03-01', 0, '', 'Order =o6 is paid with 1.500 KWD due, and no capture refers to it.', 'Ask the shop.', '',
    '', '', 1),
  ('d2', 'dispute_opened', 'dp_8', 'high', 1, 'persisting', 'stripe', 'acct_P', 'o8', 'ch_8', 'dp_8', 'USD', 0, -100,
    -100, 1772237000,
    '2026-02-28', '2026-03-01', 1, 'ann', 'A dispute took 1.00 USD.', 'Respond in time.', '', '', 'acct_B', 1),
  ('d3', 'transfer_missing', 'stripe:ch_4', 'critical', 0, 'acknowledged', 'stripe', 'acct_P', '', 'ch_4', '', 'KWD',
    5120, 0, -5120, 1772323700,
    '2026-03-01', '2026-03-01', 0, 'bob', 'No transfer of 5.120 KWD.', 'Transfer it.', 'acknowledged',
    '=HYPERLINK("http://x","y")', 'acct_C', 0),
  ('d4', 'unknown_record_type', 'txn_9', 'medium', 2, 'resolved', 'stripe', 'acct_P', '', '', 'txn_9', '', null, null,
    null, 1772236800,
    '2026-02-28', '2026-02-28', 1, '', 'A row of type "newly_made", kept as other.', 'Tell us.', '', '', '', 0);

insert into quarantine (source, stream, location, record_id, reason, silences) values
  ('shop', 'orders', 'orders.csv:9', '-2+3', 'total "1,0": no exact decimal	here', 1),
  ('stripe', 'charges', 'stripe/charges/1.jsonl.zst:7', 'ch_é', '@broken, ündso', 1);
insert into proof_line (proof, ordinal, provider, account, currency, subject, label, amount_minor, holds) values
  ('control_total', 1, 'stripe', 'acct_P', 'USD', '', 'captured', 3000, 1),
  ('control_total', 2, 'stripe', 'acct_P', 'USD', '', 'tender', 2000, 1),
  ('control_total', 3, 'stripe', 'acct_P', 'USD', '', 'missing_order', 250, 1),
  ('control_total', 4, 'stripe', 'acct_P', 'USD', '', 'currency_mismatch', 700, 1),
  ('control_total', 5, 'stripe', 'acct_P', 'USD', '', 'pending', 40, 1),
  ('control_total', 6, 'stripe', 'acct_P', 'USD', '', 'residual', 10, 0),
  ('payouts', 1, 'stripe', 'acct_P', 'USD', '', 'difference', 0, 1);
