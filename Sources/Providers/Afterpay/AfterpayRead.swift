import Foundation
import JSON
import Payments

/// Reads Afterpay's landed objects and settlement rows into nouns and postings (docs/providers/afterpay.md sections 2
/// and 3).
///
/// A capture and a refund come from the API; the settlement row reports them again, as a duplicate report, with the fee
/// and the payout that only the settlement contains.
package final class AfterpayReader: RecordReader {
  let provider: String
  let account: String
  /// The account's settlement currency.
  let currency: String
  let dateFormat: AfterpayDateFormat
  let calendar: BusinessCalendar
  /// Instants of settlement dates, so that each is computed only once.
  private var settlementDays: [String: (day: String, startsAt: Int64)] = [:]

  package init(_ configuration: AfterpayConfiguration) {
    provider = configuration.name
    account = configuration.merchantID
    currency = configuration.currency
    dateFormat = configuration.settlementDateFormat
    calendar = BusinessCalendar(timeZone: TimeZone(identifier: configuration.timeZone) ?? .gmt)
  }

  package func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws {
    switch AfterpayStream(rawValue: stream) {
    case .payments: try readPayment(record, origin, sink)
    case .disputes: try readDispute(record, origin, sink)
    case .settlements: try readSettlement(record, origin, sink)
    case nil: throw ReadError.unknownStream(stream)
    }
  }

  /// An amount of the API, `{"amount": "16.00", "currency": "USD"}`, in minor units.
  func amount(_ value: JSONValue) throws -> (minor: Int64, currency: Currency) {
    let currency = try Currency(code: try value["currency"].optionalString() ?? self.currency)
    let text = try text(value["amount"])
    return (try CellError.naming(value["amount"].path) { try Money.parse(text, currency).amountMinor }, currency)
  }

  /// A text, or a number's literal.
  func text(_ value: JSONValue) throws -> String {
    value.kind == .number ? try value.numberText() : try value.string()
  }

  /// The same where it may be missing or empty.
  func optionalText(_ value: JSONValue) throws -> String? {
    guard !value.isAbsent else { return nil }
    let found = try text(value)
    return found.isEmpty ? nil : found
  }

  func instant(_ value: JSONValue) throws -> Int64 { try value.writtenInstant() }

  /// The day of a settlement date, as `2026-08-01`, and its first instant in the reporting time zone.
  func settlementDay(_ text: String) throws -> (day: String, startsAt: Int64) {
    if let known = settlementDays[text] { return known }
    let day = BusinessDay(date: try dateFormat.date(text))
    let known = (
      day.description, try CellError.naming("settlement_date") { try Limits.instant(calendar.bounds(of: day).startsAt) }
    )
    settlementDays[text] = known
    return known
  }
}
