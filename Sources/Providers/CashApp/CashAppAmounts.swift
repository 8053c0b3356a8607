import Payments

/// The amounts of an activity row, in cents: gross signed by its direction, fee a positive cost, net the change of the
/// balance (docs/providers/cashapp.md section 3).
struct CashAppAmounts: Equatable {
  let gross: Int64
  let fee: Int64
  let net: Int64
  /// Net less (gross less fee): 0 where the row adds up.
  let remainder: Int64
  /// Net plus fee: the gross that they imply.
  let netAndFee: Int64
  /// The first sum that is wrong: the sum of its parts, the stated value, and which one it is.
  let fault: Fault?

  struct Fault: Equatable {
    var expected: Int64
    var actual: Int64
    var detail: String
  }

  init(_ row: CashAppCells) throws {
    gross = try row.requiredCents("gross_amount")
    net = try row.requiredCents("net_amount")
    fee = try row.requiredCents("fee_amount")
    let (variable, fixed) = (try row.cents("fee_variable"), try row.cents("fee_fixed"))
    let expected = try Self.sum(gross, -fee)
    // The parts are checked where both are reported: a missing column does not mean 0.
    let parts = if let variable, let fixed { try Self.sum(variable, fixed) } else { fee }
    remainder = try Self.sum(net, -expected)
    netAndFee = try Self.sum(net, fee)
    fault =
      expected != net
      ? Fault(expected: expected, actual: net, detail: "gross_amount less fee_amount is not net_amount")
      : parts != fee
        ? Fault(expected: parts, actual: fee, detail: "fee_variable and fee_fixed do not make fee_amount") : nil
  }

  /// Never `Int64.min`, so that every sum can be negated.
  private static func sum(_ one: Int64, _ other: Int64) throws -> Int64 {
    let (sum, isBeyond) = one.addingReportingOverflow(other)
    guard !isBeyond, sum != .min else { throw CashAppReadError.overflow("a sum of the row's amounts") }
    return sum
  }
}
