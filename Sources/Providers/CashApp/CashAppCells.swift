import JSON
import Payments

/// The cells of one row of a settlement file: text by column name, as delivered or as landed.
struct CashAppCells {
  private let lookUp: (StaticString) throws -> String?

  /// A row that is about to land.
  init(_ row: FileRow) { lookUp = { row["\($0)"] } }

  /// A row that landed.
  init(_ record: JSONValue) { lookUp = { try record[$0].optionalString() } }

  /// The id of the record that the row is about, as far as it can be read.
  var recordID: String { (try? text("refund_id") ?? text("dispute_id") ?? text("payment_id")) ?? "" }

  /// A cell's text; nil when it is empty.
  func text(_ column: StaticString) throws -> String? {
    guard let text = try lookUp(column), !text.isEmpty else { return nil }
    return text
  }

  /// The text of a cell that must not be empty.
  func required(_ column: StaticString) throws -> String {
    guard let text = try text(column) else { throw CashAppReadError.missing("\(column)") }
    return text
  }

  /// Whole cents within `Limits`, signed; nil when the cell is empty.
  func cents(_ column: StaticString) throws -> Int64? {
    guard let text = try text(column) else { return nil }
    guard let cents = Int64(text), let amount = try? Limits.amount(cents) else {
      throw CashAppReadError.notWhole("\(column)", text)
    }
    return amount
  }

  /// Whole cents of a cell that must not be empty.
  func requiredCents(_ column: StaticString) throws -> Int64 {
    guard let cents = try cents(column) else { throw CashAppReadError.missing("\(column)") }
    return cents
  }

  /// Unix seconds; nil when the cell is empty. A time without an offset is UTC, in which Cash App cuts its days; a date
  /// alone means its cut-off.
  func moment(_ column: StaticString) throws -> Int64? {
    guard let text = try text(column) else { return nil }
    if let moment = (try? Instant.parse(text)) ?? (try? Instant.parse(text + "Z")) { return moment }
    if let day = BusinessDay(text), let moment = try? Limits.instant(CashAppCalendar.cutOff(day.date)) { return moment }
    throw CashAppReadError.notMoment("\(column)", text)
  }

  /// The instant of a cell that must not be empty.
  func requiredMoment(_ column: StaticString) throws -> Int64 {
    guard let moment = try moment(column) else { throw CashAppReadError.missing("\(column)") }
    return moment
  }

  /// The currency by its code.
  func currency(_ column: StaticString) throws -> Currency {
    let code = try required(column)
    guard let currency = try? Currency(code: code) else { throw CashAppReadError.notCurrency(code) }
    return currency
  }
}

/// Why a row of a settlement file, or a landed line, cannot be read.
enum CashAppReadError: Error, CustomStringConvertible {
  case unknownStream(String)
  case unknownFile(String)
  case missing(String)
  case notWhole(String, String)
  case notMoment(String, String)
  case afterSettlement(String, settledAt: String)
  case notCurrency(String)
  case overflow(String)

  var description: String {
    switch self {
    case .unknownStream(let name): "there is no stream \(name)"
    case .unknownFile(let name): "\(name) is not named like a settlement file"
    case .missing(let column): "\(column): found nothing, expected a value"
    case .notWhole(let column, let text):
      "\(column): found \"\(text.prefix(40))\", expected whole cents such as -10000, at most 10^15 either way"
    case .notMoment(let column, let text):
      "\(column): found \"\(text.prefix(40))\", expected a moment of 2000 to 2100 such as 2026-03-02T23:00:00Z"
    case .afterSettlement(let text, let settledAt):
      "transaction_time: found \"\(text.prefix(40))\", more than a day after settled_at \"\(settledAt.prefix(40))\"; "
        + "see that the report is right"
    case .notCurrency(let text): "currency: found \"\(text.prefix(20))\", expected one of ISO 4217 such as USD"
    case .overflow(let what): "\(what) is beyond the range of 64-bit minor units"
    }
  }
}
