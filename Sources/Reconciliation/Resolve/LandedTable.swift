/// The groups of records that are derived at once, by their numbers.
struct RecordBatch: Sendable {
  /// Counted from 1.
  let number: Int64
  let groups: ClosedRange<Int64>
}

/// The tables that resolve and assemble read, by the names that the schema gives them. The only place that names them.
enum LandedTable: String {
  case ledgerRow = "ledger_row"
  case posting
  case payment = "stated_payment"
  case intent
  case reference
  case refund = "stated_refund"
  case transfer
  case reversal = "transfer_reversal"
  case commission = "application_fee"
  case commissionRefund = "application_fee_refund"
  case dispute = "stated_dispute"
  case disputeRow = "dispute_row"
  case payout
  case payoutLine = "payout_line"
  case exactNet = "settled_net"
  case observation = "record_event"
  case coverage = "known"
  case snapshot = "moment"
  case trait = "provider_trait"

  var name: String { rawValue }

  /// `select` of some columns of the records of a batch; payouts, coverage and snapshots are read whole.
  func select(_ columns: String, of batch: RecordBatch, orderedBy order: String? = nil) -> String {
    "select \(columns) from \(name)\(condition(batch))" + (order.map { " order by \($0)" } ?? "")
  }

  private func condition(_ batch: RecordBatch) -> String {
    let isOfBatch = "group_no between \(batch.groups.lowerBound) and \(batch.groups.upperBound)"
    return switch self {
    case .payout, .coverage, .snapshot, .trait: ""
    case .posting: " where row_no in (select l.row_no from ledger_row l where l.\(isOfBatch))"
    default: " where \(isOfBatch)"
    }
  }
}
