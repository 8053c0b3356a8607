import Files
import Foundation
import Payments
import Synchronization

/// What the exports contain, and which of it lands.
final class AfterpayFileRules: FileRules {
  private let currency: String
  private let format: AfterpayDateFormat
  private let calendar: BusinessCalendar
  private let since: Int64
  private let names = Mutex<Set<String>>([])

  /// - Parameter since: payments of earlier settlement dates are not requested.
  init(_ configuration: AfterpayConfiguration, since: Int64) {
    currency = configuration.currency
    format = configuration.settlementDateFormat
    calendar = BusinessCalendar(timeZone: TimeZone(identifier: configuration.timeZone) ?? .gmt)
    self.since = since
  }

  /// The payments that the new files refer to.
  var named: Set<String> { names.withLock { $0 } }

  /// With another format, currency or time zone, a refused file is tried again, and a landed one gets other days.
  var edition: String { "settlement exports, 1, \(format.text), \(currency), \(calendar.timeZone.identifier)" }

  func layout(of name: String) -> FileLayout {
    let name = name.lowercased()
    if name.hasSuffix(".csv") { return .rows(AfterpayColumns.all) }
    return name.hasSuffix(".xlsx") || name.hasSuffix(".xls")
      ? .refused("a workbook is not read; export the settlement as CSV") : .foreign
  }

  func layout(ofHeading heading: FileHeading, name: String) -> FileLayout? {
    if heading.has(AfterpayColumns.all) { return .rows(AfterpayColumns.all) }
    guard claims(name) || heading.count(AfterpayColumns.all) > 1 else { return nil }
    return .refused("it is no settlement export as CSV; export the settlement as CSV, and deliver it again")
  }

  func claims(_ name: String) -> Bool {
    ["settlement", "afterpay", "clearpay"].contains { name.lowercased().contains($0) }
  }

  var namesStrays: Bool { true }

  func begin(_ file: DeliveredFile) throws -> any FileReading {
    AfterpayFileReading(try Currency(code: currency), format, calendar, since: since) { order in
      _ = self.names.withLock { $0.insert(order) }
    }
  }
}

/// Reads one export row by row: dates that do not match the format refuse the file, amounts that cannot be read only
/// their row.
private final class AfterpayFileReading: FileReading {
  private(set) var reportedSpan: ClosedRange<Int64>?
  private let currency: Currency
  private let format: AfterpayDateFormat
  private let calendar: BusinessCalendar
  private let since: Int64
  private let name: (String) -> Void
  /// The bounds of settlement dates as written, so that each is computed only once.
  private var days: [String: ClosedRange<Int64>] = [:]
  /// Counts identical rows: two captures of one amount on one day are two.
  private var alike: [String: Int] = [:]

  init(
    _ currency: Currency, _ format: AfterpayDateFormat, _ calendar: BusinessCalendar, since: Int64,
    name: @escaping (String) -> Void
  ) {
    self.currency = currency
    self.format = format
    self.calendar = calendar
    self.since = since
    self.name = name
  }

  func read(_ row: FileRow) throws {
    let order = row["afterpay_order_id"]
    guard !order.isEmpty else {
      // A total, or a blank line.
      row.isLeftOut = true
      return
    }
    let day = try bounds(of: row["settlement_date"], row)
    for column in ["order_date_and_time", "refund_date_and_time"] where !row[column].isEmpty {
      try check(row[column], column, row)
    }
    for column in AfterpayColumns.amounts { try checkAmount(column, row, order) }
    reportedSpan =
      min(
        reportedSpan?.lowerBound ?? day.lowerBound, day.lowerBound)...max(
        reportedSpan?.upperBound ?? day.upperBound, day.upperBound)
    if day.upperBound > since { name(order) }
    let look = [
      row["settlement_date"], order, row["type"], row["afterpay_refund_id"], row["settlement_amount"],
    ].joined(separator: "\t")
    let number = (alike[look] ?? 0) + 1
    alike[look] = number
    if number > 1 { row[AfterpayColumns.alike] = String(number) }
  }

  private func bounds(of text: String, _ row: FileRow) throws -> ClosedRange<Int64> {
    if let known = days[text] { return known }
    let bounds = calendar.bounds(of: BusinessDay(date: try check(text, "settlement_date", row)))
    let range = bounds.startsAt...bounds.endsAt
    days[text] = range
    return range
  }

  @discardableResult
  private func check(_ text: String, _ column: String, _ row: FileRow) throws -> CivilDate {
    do {
      return try format.date(text)
    } catch {
      throw FileRefusal("row \(row.number), \(column): \(error)")
    }
  }

  private func checkAmount(_ column: String, _ row: FileRow, _ order: String) throws {
    do {
      _ = try AfterpayAmount(row[column], currency)
    } catch {
      throw row.refused("\(column): \(error)", recordID: order)
    }
  }
}
