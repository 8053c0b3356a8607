/// The tables that readers fill, with their columns in the order of the bulk rows, and the key by which a newer version
/// replaces an older one.
enum StoreTable: Int, CaseIterable {
  case ledgerRow
  case posting
  case ledgerRowRead
  case postingRead
  case statedPayment
  case intent
  case reference
  case statedRefund
  case transfer
  case transferReversal
  case applicationFee
  case applicationFeeRefund
  case statedDispute
  case statedPayout
  case payoutLine
  case statedBalance
  case unknownWord
  case customerOrder
  case orderRefund
  case orderPaymentReference
  case paymentInitCall
  case disputeRow
  case recordEvent
  case payoutStep
  case settlementBatch
  case announcedBatch
  case batchChunk
  case batchValue
  case statedBrokenRow
  case settledNet
  case credential
  case quarantine

  /// `ledgerRow` is the table ledger_row.
  var name: String { "\(self)".map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined() }

  /// Whether its rows are only staged there until the file has been read.
  var isStaging: Bool { self == .ledgerRowRead || self == .postingRead }

  /// The columns that identify records: rows that share an identifier are derived together. Empty: the table is small
  /// and every run reads it whole.
  var identifiers: [String] { StoreTable.words(StoreTable.identifiers[self] ?? "") }

  var isGrouped: Bool { StoreTable.identifiers[self] != nil && !isStaging }

  private static let identifiers: [StoreTable: String] = [
    .ledgerRow: "row_id source_id payment_id record_id",
    .ledgerRowRead: "row_id source_id payment_id record_id",
    .statedPayment: "payment_id intent_id row_id failure_row_id",
    .intent: "intent_id latest_payment_id",
    .reference: "owner_id value",
    .statedRefund: "refund_id payment_id row_id failure_row_id reversal_id",
    .transfer: "transfer_id payment_id row_id transfer_group order_reference",
    .transferReversal: "reversal_id transfer_id refund_id row_id",
    .applicationFee: "fee_id payment_id row_id",
    .applicationFeeRefund: "fee_refund_id fee_id row_id",
    .statedDispute: "dispute_id payment_id",
    .disputeRow: "row_id dispute_id",
    .payoutLine: "row_id",
    .customerOrder: "order_id",
    .orderPaymentReference: "order_id value",
    .orderRefund: "refund_id order_id payment_reference",
    .recordEvent: "record_id payment_id intent_id",
    .settledNet: "row_id fee_row_id",
    .paymentInitCall: "init_hash",
  ]

  var columns: [String] { StoreTable.words(StoreTable.shapes[self]?.columns ?? "") }
  var key: [String] { StoreTable.words(StoreTable.shapes[self]?.key ?? "") }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// In the order of the table: with another order SQLite would move the values once more.
  private static let ledgerColumns = """
    row_no provider row_id account category source_id currency amount_minor fee_minor net_minor exchange_rate \
    booked_at available_at description known_category fee_sum_minor late_since late_until first_landed_at landed_file \
    landed_line payout_id payment_id record_id record_kind connected_account presentment_currency presentment_minor \
    is_echo row_name
    """
  private static let postingColumns = "row_no ordinal kind from_role to_role currency amount_minor fee_type description"

  private static let shapes: [StoreTable: (columns: String, key: String)] = [
    .ledgerRow: (ledgerColumns, "provider row_id"),
    .posting: (postingColumns, ""),
    .ledgerRowRead: (ledgerColumns + " is_redated is_withdrawn", ""),
    .postingRead: (postingColumns, ""),
    .statedPayment: (
      """
      provider payment_id flow_key account intent_id status is_captured is_declined currency amount_minor \
      captured_minor created_at capture_before destination transfer_amount_minor application_fee_minor \
      transfer_group method row_id failure_row_id landed_file landed_line
      """, "provider payment_id"
    ),
    .intent: (
      """
      provider intent_id status currency amount_minor capturable_minor created_at canceled_at \
      latest_payment_id destination transfer_amount_minor application_fee_minor transfer_group landed_file \
      landed_line
      """, "provider intent_id"
    ),
    .reference: ("provider owner_id name value order_rank landed_file", "provider owner_id name value"),
    .statedRefund: (
      """
      provider refund_id payment_id status currency amount_minor created_at row_id failure_row_id \
      reversal_id is_expired_authorisation landed_file landed_line
      """, "provider refund_id"
    ),
    .transfer: (
      """
      provider transfer_id payment_id connected_account currency amount_minor created_at row_id \
      transfer_group order_reference landed_file landed_line
      """, "provider transfer_id"
    ),
    .transferReversal: (
      """
      provider reversal_id transfer_id refund_id currency amount_minor created_at row_id landed_file \
      landed_line
      """, "provider reversal_id"
    ),
    .applicationFee: (
      """
      provider fee_id payment_id connected_account is_direct currency amount_minor created_at row_id \
      landed_file landed_line
      """, "provider fee_id"
    ),
    .applicationFeeRefund: (
      "provider fee_refund_id fee_id currency amount_minor created_at row_id landed_file landed_line",
      "provider fee_refund_id"
    ),
    .statedDispute: (
      """
      provider dispute_id payment_id status provider_status reason currency amount_minor created_at \
      respond_by landed_file landed_line
      """, "provider dispute_id"
    ),
    .statedPayout: (
      """
      provider payout_id account currency amount_minor created_at arrival_on status is_itemised row_id \
      failure_row_id failure_code bank_reference landed_file landed_line
      """, "provider payout_id"
    ),
    .payoutLine: ("provider payout_id row_id currency net_minor landed_file landed_line", "provider payout_id row_id"),
    .statedBalance: (
      "provider account currency landed_file observed_at range_to amount_minor is_settled withheld_minor",
      "provider account currency landed_file observed_at"
    ),
    .unknownWord: (
      "provider record_id word_of word account seen_at currency amount_minor", "provider record_id word_of"
    ),
    .paymentInitCall: (
      "source init_hash call at currency amount_minor asks_approval landed_file landed_line", "source init_hash call at"
    ),
    .customerOrder: (
      """
      order_id source placed_at status currency total_minor tender_minor provider seller_account \
      application_fee_minor landed_file landed_line
      """, "order_id"
    ),
    .orderRefund: (
      """
      refund_id source order_id refunded_at currency amount_minor payment_reference landed_file \
      landed_line
      """, "refund_id"
    ),
    .orderPaymentReference: ("order_id value landed_file", "order_id value"),
    .disputeRow: ("provider row_id dispute_id", "provider row_id"),
    .recordEvent: (
      """
      provider account subject record_id payment_id event_id state feed currency amount_minor happened_at until_at \
      method intent_id detail part is_echo landed_file landed_line
      """, "provider subject record_id state event_id feed part"
    ),
    .payoutStep: (
      "provider account payout_id row_id status currency amount_minor happened_at bank_reference landed_file "
        + "landed_line",
      "provider row_id"
    ),
    .settlementBatch: (
      "provider account batch_id number closed_at next_at part_of landed_file landed_line", "provider batch_id"
    ),
    .announcedBatch: ("provider account batch_id number announced_at landed_file landed_line", "provider batch_id"),
    .batchChunk: ("provider account batch_id chunk", "provider batch_id chunk"),
    .batchValue: (
      "provider account batch_id currency name row_id amount_minor landed_file landed_line",
      "provider batch_id currency name row_id"
    ),
    .statedBrokenRow: (
      """
      provider account row_id payment_id batch_id currency expected_minor actual_minor booked_at detail landed_file \
      landed_line
      """, "provider row_id"
    ),
    .settledNet: (
      "provider account payout_id row_id fee_row_id currency net_millionths minor_millionths settled_at landed_file "
        + "landed_line",
      "provider row_id"
    ),
    .credential: ("provider account key_id expires_at landed_file landed_line", "provider key_id"),
    .quarantine: (
      "source stream location record_id reason silences landed_file", "source location record_id landed_file"
    ),
  ]
}
