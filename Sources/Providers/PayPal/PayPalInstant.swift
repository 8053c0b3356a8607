import JSON
import Payments

/// An instant as PayPal writes it: RFC 3339, `+0000` without a colon, fractions of any length, and Pacific time by its
/// abbreviation.
enum PayPalInstant {
  /// Hours east of UTC of the time zones in PayPal's documentation (docs/providers/paypal.md section 4, trap 10).
  private static let zones: [(name: String, offset: String)] = [
    ("PDT", "-07:00"), ("PST", "-08:00"), ("UTC", "Z"), ("GMT", "Z"),
  ]

  /// Unix seconds; a fraction is truncated.
  ///
  /// - Throws: `InstantError` with the text found.
  static func parse(_ text: String) throws(InstantError) -> Int64 {
    guard let last = text.utf8.last, last == UInt8(ascii: "T") || last == UInt8(ascii: "C") else {
      return try Instant.parse(text)
    }
    for zone in zones where text.hasSuffix(zone.name) {
      var moment = String(text.dropLast(zone.name.count))
      while moment.hasSuffix(" ") { moment.removeLast() }
      return try Instant.parse(moment + zone.offset)
    }
    return try Instant.parse(text)
  }

  /// An instant that must be present.
  static func of(_ value: JSONValue) throws -> Int64 { try value.writtenInstant(parse) }

  /// An instant that may be missing, empty or null.
  static func optional(_ value: JSONValue) throws -> Int64? {
    guard let text = try value.optionalString(), !text.isEmpty else { return nil }
    return try value.writtenInstant(parse)
  }
}
