import Payments

/// The rows that settlement days pay: the row of each movement (the API's own where the settlement row only repeats
/// it), the fee, the remainder from rounding.
///
/// If the API reports a movement with another amount, days pay at most what the API reports: the excess is money that
/// no record explains, and the payout does not add up.
struct SettlementDayLines {
  static let roundingCategory: Text = "settlement_rounding"
  static let roundingPrefix = "rounding:"

  /// A settlement row and the row that it pays.
  struct Payment {
    var net: ExactNet
    /// The id of the row that it pays: the API's, else its own.
    var rowID: Text
    var netMinor: Int64
    /// The net of the API's row; nil: the settlement row counts for itself.
    var reportedMinor: Int64?
  }

  private struct Line: Hashable {
    var payoutID: Text
    var rowID: Text
  }

  /// The lines of movements, in the order of their payouts and rows.
  ///
  /// - Throws: `MoneyError.overflow`.
  static func movements(_ payments: [Payment]) throws(MoneyError) -> [PayoutLineRecord] {
    var paid: [Text: CheckedSum] = [:]
    var lines: [Line: PayoutLineRecord] = [:]
    for payment in payments.sorted(by: { ($0.net.settledAt, $0.net.rowID) < ($1.net.settledAt, $1.net.rowID) }) {
      let before = paid[payment.rowID]?.minor ?? 0
      try paid[payment.rowID, default: CheckedSum()].add(payment.netMinor)
      try add(payment, try counted(payment, before), to: &lines)
    }
    return lines.values.sorted { ($0.payoutID, $0.rowID) < ($1.payoutID, $1.rowID) }
  }

  /// The part of the row that counts, after what the rows before it paid.
  private static func counted(_ payment: Payment, _ beforeMinor: Int64) throws(MoneyError) -> Int64 {
    let reported = payment.reportedMinor ?? payment.netMinor
    let after = try Checked.sum(beforeMinor, payment.netMinor)
    if after.magnitude <= reported.magnitude { return payment.netMinor }
    return beforeMinor.magnitude < reported.magnitude ? try Checked.difference(reported, beforeMinor) : 0
  }

  private static func add(_ payment: Payment, _ minor: Int64, to lines: inout [Line: PayoutLineRecord])
    throws(MoneyError)
  {
    let net = payment.net
    let key = Line(payoutID: net.payoutID, rowID: payment.rowID)
    var line = lines[key] ?? PayoutLineRecord(payoutID: net.payoutID, rowID: payment.rowID, currency: net.currency)
    line.currency = min(line.currency, net.currency)
    line.netMinor = try Checked.sum(line.netMinor, minor)
    line.landedFile = max(line.landedFile, net.landedFile)
    line.landedLine = max(line.landedLine, net.landedLine)
    lines[key] = line
  }
}
