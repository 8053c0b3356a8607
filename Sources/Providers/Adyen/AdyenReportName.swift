/// The names of settlement detail reports (docs/providers/adyen.md section 1.2):
/// `^settlement_detail_report_batch_(\d+)(?:_(\d{8}))?(?:[._].*)?\.(csv|tsv|xlsx?|xml)$`.
struct AdyenReportName: Equatable, Sendable {
  /// The batch's number in the merchant account's own sequence.
  let batch: Int64
  /// `csv`, or a format that is not supported.
  let format: String

  private static let prefix = "settlement_detail_report_batch_"
  private static let formats = ["csv", "tsv", "xls", "xlsx", "xml"]

  /// - Returns: nil for every other report.
  init?(_ name: String) {
    let lowercase = name.lowercased()
    guard lowercase.hasPrefix(Self.prefix), let point = lowercase.lastIndex(of: "."), !name.contains("/"),
      !name.contains("..")
    else {
      return nil
    }
    let format = String(lowercase[lowercase.index(after: point)...])
    let rest = lowercase[..<point].dropFirst(Self.prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    let suffix = rest.dropFirst(digits.count)
    guard Self.formats.contains(format), (1...9).contains(digits.count), let batch = Int64(digits),
      suffix.isEmpty || suffix.hasPrefix("_") || suffix.hasPrefix(".")
    else { return nil }
    self.batch = batch
    self.format = format
  }

  /// Whether a name shows that the file is meant to be a settlement detail report, whatever prefix or suffix it has:
  /// `(1)`, `copy of`, `.gz`.
  static func claims(_ name: String) -> Bool { name.lowercased().contains("settlement_detail_report") }

  /// The batch number in such a name; nil where it has none.
  static func batch(within name: String) -> Int64? {
    guard let place = name.lowercased().range(of: prefix) else { return nil }
    let digits = name.lowercased()[place.upperBound...].prefix { $0.isASCII && $0.isNumber }
    return (1...9).contains(digits.count) ? Int64(digits) : nil
  }

  /// Whether it is another report of Adyen's: the money in it is in the settlement detail report too.
  static func isOther(_ name: String) -> Bool {
    let name = name.lowercased()
    return others.contains { name.hasPrefix($0) }
  }

  private static let others = [
    "payments_accounting_report", "payment_accounting_report", "received_payments_report", "dispute_report",
    "exchange_rate_report",
    "aggregate_settlement_detail", "external_settlement", "invoice-", "monthly_finance_report", "daily_finance_report",
    "balanceplatform_",
  ]

  /// The name under which a batch's report is requested.
  static func file(_ batch: Int64) -> String { "\(prefix)\(batch).csv" }

  /// The name of a report that was announced with its date (`…_214_20260708.csv`); nil for every other suffix, which
  /// must not be part of a request.
  static func dated(_ name: String) -> String? {
    guard let report = AdyenReportName(name), report.format == "csv", name.hasPrefix("\(prefix)\(report.batch)_"),
      name.hasSuffix(".csv")
    else { return nil }
    let day = name.dropFirst("\(prefix)\(report.batch)_".count).dropLast(".csv".count)
    return day.utf8.count == 8 && day.utf8.allSatisfy { (48...57).contains($0) } ? name : nil
  }
}
