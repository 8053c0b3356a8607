import Files
import Logging

/// What a source of reports has next.
enum AdyenDelivery {
  case report(AdyenReport)
  /// A file that is refused as a whole, under its name.
  case refused(RefusedRecord, batch: Int64, sha256: String)
}

/// Gives the reports that were not landed yet, the lowest batch first.
protocol AdyenReportSource {
  /// What was asked, without secrets.
  var request: String { get }
  /// Numbers that exist, whether or not their report can be had.
  var numbers: Set<Int64> { get }
  /// The next report; nil when there is none.
  mutating func next(_ history: AdyenHistory) async throws(AdyenFailure) -> AdyenDelivery?
}

/// A folder that receives the reports.
struct AdyenReportFolder: AdyenReportSource {
  private let folder: DeliveredFolder
  private let logger: Logger
  private var rest: [(name: String, report: AdyenReportName)]?
  private(set) var numbers: Set<Int64> = []

  private let firstBatch: Int64

  init(_ path: String, firstBatch: Int64?, logger: Logger) {
    folder = DeliveredFolder(path: path)
    self.firstBatch = firstBatch ?? 0
    self.logger = logger
  }

  var request: String { "settlement detail reports in \(folder.path)" }

  mutating func next(_ history: AdyenHistory) async throws(AdyenFailure) -> AdyenDelivery? {
    do {
      if rest == nil { try list() }
      while let (name, report) = rest?.popLast() {
        let file = try folder.file(name)
        if history.has(file.sha256) { continue }
        guard report.format == "csv" else {
          let reason = "it is no CSV; choose CSV for the Settlement details report in the Customer Area, and deliver it again"
          return .refused(RefusedRecord(location: name, reason: reason), batch: report.batch, sha256: file.sha256)
        }
        return .report(AdyenReport(file, batch: report.batch))
      }
      return nil
    } catch {
      throw AdyenFailure(sentence: "\(error)")
    }
  }

  /// The highest number first: they are taken from the end.
  private mutating func list() throws {
    var reports: [(name: String, report: AdyenReportName)] = []
    for name in try folder.names() {
      if let report = AdyenReportName(name) {
        if report.batch >= firstBatch { reports.append((name, report)) }
      } else {
        logger.info("\(name): no settlement detail report; it is not read")
      }
    }
    rest = reports.sorted { ($0.report.batch, $0.name) > ($1.report.batch, $1.name) }
  }
}

/// The reports that Adyen has for download: number after number until one is not there.
struct AdyenReportSeries: AdyenReportSource {
  /// How many numbers in a row may be missing before only those that are known to exist are asked for.
  private static let patience = 20

  private let api: AdyenReportAPI
  private let firstBatch: Int64?
  /// The reports that notifications name, by batch.
  private let named: [Int64: String]
  private var number: Int64?
  private var missing = 0

  init(_ api: AdyenReportAPI, firstBatch: Int64?, named: [Int64: String]) {
    self.api = api
    self.firstBatch = firstBatch
    self.named = named
  }

  var request: String { "GET /reports/download/MerchantAccount/…/settlement_detail_report_batch_N.csv" }
  var numbers: Set<Int64> { Set(named.keys.filter { $0 >= firstBatch ?? 0 }) }

  mutating func next(_ history: AdyenHistory) async throws(AdyenFailure) -> AdyenDelivery? {
    let landed = Set(history.deliveries.filter { !$0.isRefused }.compactMap { AdyenReportName($0.name)?.batch })
    let exist = landed.union(numbers)
    guard var number = number ?? firstBatch ?? exist.min() else { return nil }
    while true {
      defer { self.number = number }
      if landed.contains(number) {
        (number, missing) = (number + 1, 0)
        continue
      }
      let report = try await api.report(number, named: named[number].flatMap(AdyenReportName.dated))
      number += 1
      if let report {
        missing = 0
        return .report(report)
      }
      missing += 1
      guard let later = exist.filter({ $0 >= number }).min() else { return nil }
      if missing >= Self.patience { (number, missing) = (later, 0) }
    }
  }
}
