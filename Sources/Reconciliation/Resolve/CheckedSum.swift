import Payments

/// A sum of minor units: an overflow is an error of the payment concerned, never a trap or a wrong figure.
struct CheckedSum: Hashable, Sendable {
  private(set) var minor: Int64 = 0

  mutating func add(_ amount: Int64) throws(MoneyError) { minor = try Checked.sum(minor, amount) }

  mutating func subtract(_ amount: Int64) throws(MoneyError) { minor = try Checked.difference(minor, amount) }

  /// Adds the amount, or subtracts it.
  mutating func add(_ amount: Int64, if isAdded: Bool) throws(MoneyError) {
    if isAdded { try add(amount) } else { try subtract(amount) }
  }
}

/// Overflow-checked arithmetic on minor units.
enum Checked {
  static func sum(_ one: Int64, _ other: Int64) throws(MoneyError) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    if overflow { throw .overflow("a sum of amounts") }
    return sum
  }

  static func difference(_ one: Int64, _ other: Int64) throws(MoneyError) -> Int64 {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    if overflow { throw .overflow("a difference of amounts") }
    return difference
  }

  static func negated(_ amount: Int64) throws(MoneyError) -> Int64 { try difference(0, amount) }

  static func magnitude(_ amount: Int64) throws(MoneyError) -> Int64 { amount < 0 ? try negated(amount) : amount }
}
