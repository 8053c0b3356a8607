/// The account that ProofTests corrupts: a destination charge, a charge of the platform's own, their payout, and an
/// order that nobody paid.
extension Books {
  static let firstNight = """
    title: books to be corrupted
    nights:
      - days: 2026-03-02..2026-03-05
        orders:
          - {order_id: O-1, placed_at: 2026-03-02T10:00:00Z, status: paid, currency: USD, total: 10.00,
             seller_account: acct_seller1, application_fee: 1.23}
          - {order_id: O-2, placed_at: 2026-03-02T11:00:00Z, status: paid, currency: USD, total: 20.00}
          - {order_id: O-3, placed_at: 2026-03-02T12:00:00Z, status: paid, currency: USD, total: 15.00,
             provider: stripe}
        objects:
          - charge: {id: ch_1, amount: 1000, created: 2026-03-02T10:00:05Z, application_fee: fee_1,
                     application_fee_amount: 123, transfer: tr_1, transfer_data: {destination: acct_seller1},
                     metadata: {order_id: O-1}}
          - transfer: {id: tr_1, amount: 1000, created: 2026-03-02T10:00:06Z, destination: acct_seller1,
                       source_transaction: ch_1}
          - application_fee: {id: fee_1, amount: 123, created: 2026-03-02T10:00:07Z, account: acct_seller1,
                              charge: py_1, originating_transaction: ch_1}
          - charge: {id: ch_2, amount: 2000, created: 2026-03-02T11:00:05Z, metadata: {order_id: O-2}}
          - payout: {id: po_1, amount: 1976, created: 2026-03-04T06:00:00Z}
          - row: {id: txn_1, type: charge, reporting_category: charge, source: ch_1, amount: 1000, fee: 59,
                  created: 2026-03-02T10:00:08Z}
          - row: {id: txn_2, type: transfer, reporting_category: transfer, source: tr_1, amount: -1000,
                  created: 2026-03-02T10:00:08Z}
          - row: {id: txn_3, type: application_fee, reporting_category: platform_earning, source: fee_1, amount: 123,
                  created: 2026-03-02T10:00:08Z}
          - row: {id: txn_4, type: charge, reporting_category: charge, source: ch_2, amount: 2000, fee: 88,
                  created: 2026-03-02T11:00:08Z}
          - row: {id: txn_5, type: payout, reporting_category: payout, source: po_1, amount: -1976,
                  created: 2026-03-04T06:00:00Z}
        payout_rows: {po_1: [txn_1, txn_2, txn_3, txn_4]}
        expect:
          verdict: discrepancies

    """
  static let secondNight = """
      - days: 2026-03-02..2026-03-06
        orders:
          - {order_id: O-1, placed_at: 2026-03-02T10:00:00Z, status: paid, currency: USD, total: 10.00,
             seller_account: acct_seller1, application_fee: 1.23}
          - {order_id: O-2, placed_at: 2026-03-02T11:00:00Z, status: paid, currency: USD, total: 20.00}
          - {order_id: O-3, placed_at: 2026-03-02T12:00:00Z, status: paid, currency: USD, total: 15.00,
             provider: stripe}
          - {order_id: O-4, placed_at: 2026-03-06T09:00:00Z, status: paid, currency: USD, total: 5.00}
        objects:
          - charge: {id: ch_4, amount: 500, created: 2026-03-06T09:00:05Z, metadata: {order_id: O-4}}
          - row: {id: txn_6, type: charge, reporting_category: charge, source: ch_4, amount: 500, fee: 45,
                  created: 2026-03-06T09:00:08Z}
        expect:
          verdict: discrepancies

    """
}

extension Corruption {
  /// Proof 1: the entries of a payment, or of a row without one, leave what the provider's rows say.
  static let flows = [
    Corruption(
      "a fee's posting is lost after reading", .reading,
      "delete from posting where row_no = (select row_no from ledger_row where row_id = 'txn_1') and kind = 'fee'",
      proofs: ["flow_balance"],
      red: [row("flow_out_of_balance", order: "O-1", payment: "ch_1", record: "txn_1", "0.64", "1.23")]),
    Corruption(
      "a capture is posted with a cent too much", .reading,
      "update posting set amount_minor = amount_minor + 1 where row_no = (select row_no from ledger_row where row_id "
        + "= 'txn_4') and kind = 'capture'",
      proofs: ["flow_balance"],
      red: [row("flow_out_of_balance", order: "O-2", payment: "ch_2", record: "txn_4", "19.12", "19.13")]),
    Corruption(
      "a transfer's entry is lost after it was made", .assembling, "delete from entry where row_id = 'txn_2'",
      proofs: ["flow_balance"],
      red: [row("flow_out_of_balance", order: "O-1", payment: "ch_1", record: "txn_2", "0.64", "10.64")]),
    Corruption(
      "a payout's entry is lost: a row without a payment", .assembling, "delete from entry where row_id = 'txn_5'",
      proofs: ["flow_balance"],
      red: [row("flow_out_of_balance", order: "", payment: "", record: "txn_5", "-19.76", "0.00")]),
    Corruption(
      "a capture's entry is lost: the residual it leaves is no second row", .assembling,
      "delete from entry where row_id = 'txn_4' and kind = 'capture'", proofs: ["control_total", "flow_balance"],
      red: [row("flow_out_of_balance", order: "O-2", payment: "ch_2", record: "txn_4", "19.12", "-0.88")]),
  ]

  /// Proof 2: fee lines make the fee.
  static let fees = [
    Corruption(
      "a fee line of ten cents is lost", .reading,
      "update ledger_row set fee_sum_minor = fee_sum_minor - 10 where row_id = 'txn_4'", proofs: ["fee_lines"],
      red: [row("fee_sum_mismatch", order: "O-2", payment: "ch_2", record: "txn_4", "0.78", "0.88")])
  ]

  /// Proof 3: a payout's lines make the payout.
  static let payouts = [
    Corruption(
      "a payout's line is dropped", .reading, "delete from payout_line where row_id = 'txn_4'", proofs: ["payouts"],
      red: [row("payout_mismatch", order: "", payment: "", record: "po_1", "0.64", "19.76")]),
    Corruption(
      "a payout's line is altered", .assembling,
      "update payout_line set net_minor = net_minor + 1 where row_id = 'txn_1'",
      proofs: ["payouts"], red: [row("payout_mismatch", order: "", payment: "", record: "po_1", "19.77", "19.76")]),
  ]

  /// Proof 4: what is stated, and what moved since it was stated before.
  static let balances = [
    Corruption(
      "the balance is misstated on the second night", .reading,
      "update stated_balance set amount_minor = amount_minor + 100 where landed_file = (select max(landed_file) from "
        + "stated_balance)",
      proofs: ["stated_balance"],
      red: [row("balance_mismatch", order: "", payment: "", record: "", "4.55", "5.55")]),
    Corruption(
      "the balance was misstated on the first night", .reading,
      "update stated_balance set amount_minor = amount_minor - 7 where landed_file = (select min(landed_file) from "
        + "stated_balance)",
      proofs: ["stated_balance"],
      red: [row("balance_mismatch", order: "", payment: "", record: "", "4.48", "4.55")]),
    Corruption(
      "a ledger row between the two is lost", .reading, "delete from ledger_row where row_id = 'txn_6'",
      proofs: ["stated_balance"], red: [row("balance_mismatch", order: "", payment: "", record: "", "0.00", "4.55")]),
  ]

  /// Proof 5: the control total.
  static let totals = [
    Corruption(
      "a finding is dropped", .checking, "delete from finding where type = 'missing_payment'",
      proofs: ["control_total"],
      red: [row("unexplained_difference", order: "", payment: "", record: "", "0.00", "-15.00")]),
    Corruption(
      "a finding's amount is altered", .checking,
      "update finding set expected_minor = 1400 where type = 'missing_payment'",
      proofs: ["control_total"],
      red: [row("unexplained_difference", order: "", payment: "", record: "", "0.00", "-1.00")]),
    Corruption(
      "an order is lost after it was matched", .matching, "delete from customer_order where order_id = 'O-2'",
      proofs: ["control_total"],
      red: [row("unexplained_difference", order: "", payment: "", record: "", "0.00", "20.00")]),
    Corruption(
      "an order's tender is altered after it was matched", .matching,
      "update customer_order set tender_minor = 2100 where order_id = 'O-2'", proofs: ["control_total"],
      red: [row("unexplained_difference", order: "", payment: "", record: "", "0.00", "-1.00")]),
    Corruption(
      "an order falls out of its pair", .matching, "delete from match_node where node = 'o:O-2'",
      proofs: ["control_total"],
      red: [
        row("unexplained_difference", order: "", payment: "", record: "", "0.00", "20.00"),
        row("unexplained_difference", order: "", payment: "", record: "", "0.00", "-20.00"),
      ]),
  ]

  private static func row(
    _ type: String, order: String, payment: String, record: String, _ expected: String, _ actual: String
  ) -> [String: String] {
    [
      "type": type, "state": "new", "order_id": order, "payment_id": payment, "record_id": record, "currency": "USD",
      "expected": expected, "actual": actual,
    ]
  }
}
