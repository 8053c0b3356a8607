/// The limits of every amount and instant of a record: beyond them the record is refused when it is read, so that no
/// later sum overflows.
package enum Limits {
  /// 10^15 minor units either way, ten trillion euros: nine thousand of them still add up within 64 bits.
  package static let amountMinor: Int64 = 1_000_000_000_000_000

  /// The years 2000 to 2100, Unix seconds UTC.
  package static let instants: ClosedRange<Int64> = 946_684_800...4_133_980_799

  /// Returns the amount if it is within the limit.
  ///
  /// - Throws: `MoneyError.beyondLimit`.
  package static func amount(_ minor: Int64) throws(MoneyError) -> Int64 {
    guard minor.magnitude <= amountMinor.magnitude else { throw .beyondLimit(String(minor)) }
    return minor
  }

  /// Returns the instant, Unix seconds, if it is within the limits.
  ///
  /// - Throws: `InstantError`.
  package static func instant(_ seconds: Int64) throws(InstantError) -> Int64 {
    guard instants.contains(seconds) else { throw InstantError(text: String(seconds), isOutsideLimits: true) }
    return seconds
  }
}
