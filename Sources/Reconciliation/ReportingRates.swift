import Files
import Foundation
import Payments
import Reports
import Settings

/// The rates into the reporting currency, from the CSV file of `reporting.rates`: `date,currency,rate`, where `rate` is
/// how many units of the reporting currency one unit of `currency` is worth from `date` on.
struct ReportingRates {
  /// The newest rate of each currency up to the range's last day.
  private(set) var newest: [String: ConvertedTotals.Rate] = [:]
  /// Rows and files that could not be used, one sentence each.
  private(set) var problems: [String] = []

  private static let columns: [Column] = [.required("date"), .required("currency"), .required("rate")]

  /// The reporting currency.
  private let currency: Currency
  /// The currencies and days of the rows so far.
  private var read: Set<String> = []

  /// - Parameter lastDay: rates of later days are ignored.
  init(path: String, into currency: Currency, lastDay: BusinessDay) {
    self.currency = currency
    let name = URL(fileURLWithPath: path).lastPathComponent
    do {
      let file = try DelimitedFile(path: path, columns: Self.columns)
      while try file.next() { read(file, name, lastDay) }
    } catch {
      problems.append("reporting.rates: \(name): \(error); totals are converted without it")
    }
  }

  private mutating func read(_ file: DelimitedFile, _ name: String, _ lastDay: BusinessDay) {
    let cells = Self.columns.indices.map(file.text)
    guard file.problem == nil, let day = BusinessDay(cells[0]), let currency = try? Currency(code: cells[1]),
      let rate = try? ExactDecimal(cells[2]), rate.unscaled > 0
    else {
      let found = file.problem ?? "found \"\(cells.joined(separator: ",").prefix(60))\""
      return problems.append(
        """
        reporting.rates: \(name):\(file.row): \(found), expected a day, an ISO 4217 code and a rate above 0, as in \
        2026-01-31,USD,0.92
        """
      )
    }
    if currency == self.currency {
      guard rate.unscaled != (0..<rate.digits).reduce(1 as Int64, { power, _ in power * 10 }) else { return }
      return problems.append(
        """
        reporting.rates: \(name):\(file.row): \(currency.code) is the reporting currency: remove the row
        """)
    }
    guard read.insert("\(currency.code) \(day)").inserted else {
      return problems.append(
        """
        reporting.rates: \(name):\(file.row): \(currency.code) has another rate of \(day); the first is used, remove one
        """)
    }
    guard day <= lastDay, newest[currency.code]?.day.map({ $0 <= day }) ?? true else { return }
    newest[currency.code] = ConvertedTotals.Rate(rate: rate, day: day)
  }
}

extension SummaryFigures {
  /// The figures in the reporting currency, and the rates that could not be used; nothing without `reporting.rates`.
  mutating func convert(_ reporting: Settings.Reporting, lastDay: BusinessDay) -> [String] {
    guard let path = reporting.rates, let code = reporting.currency, let currency = try? Currency(code: code),
      let one = try? ExactDecimal("1")
    else { return [] }
    let rates = ReportingRates(path: path, into: currency, lastDay: lastDay)
    converted = ConvertedTotals(
      currency: currency, source: URL(fileURLWithPath: path).lastPathComponent,
      rates: rates.newest.merging([code: ConvertedTotals.Rate(rate: one, day: nil)]) { _, own in own })
    return rates.problems
  }
}
