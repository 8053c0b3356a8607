import Files
import Logging

/// The next item of a source of reports.
enum AdyenDelivery {
  case report(AdyenReport)
  /// A file that is refused as a whole, under its name; `batch` is nil where its batch is unknown.
  case refused(RefusedRecord, batch: Int64?, sha256: String)
  /// A file that is not a report.
  case stray(RefusedRecord, sha256: String)
}

/// Yields the reports that have not landed yet, lowest batch first.
protocol AdyenReportSource {
  /// What was requested, without secrets.
  var request: String { get }
  /// Batch numbers that exist, whether or not their report is available.
  var numbers: Set<Int64> { get }
  /// The next report; nil when there is none.
  mutating func next(_ history: AdyenHistory) async throws(ProviderFailure) -> AdyenDelivery?
}

/// A folder that receives the reports, with its subfolders: a report is recognised by its name, or by its first row.
struct AdyenReportFolder: AdyenReportSource {
  private let folder: DeliveredFolder
  private let ignored: [String]
  private let logger: Logger
  private var rest: [Found]?
  private(set) var numbers: Set<Int64> = []

  private let firstBatch: Int64

  /// A file in the folder: the batch from its name or its first data row, or what is wrong with it.
  private struct Found {
    let file: DeliveredFile
    let batch: Int64?
    var refusal: String?
    var isStray = false
  }

  init(_ path: String, firstBatch: Int64?, ignoring ignored: [String] = [], logger: Logger) {
    folder = DeliveredFolder(path: path)
    self.firstBatch = firstBatch ?? 0
    self.ignored = ignored
    self.logger = logger
  }

  var request: String { "settlement detail reports in \(folder.path)" }

  mutating func next(_ history: AdyenHistory) async throws(ProviderFailure) -> AdyenDelivery? {
    do {
      if rest == nil { try list(history) }
      guard let found = rest?.popLast() else { return nil }
      let (name, sha256) = (found.file.name, found.file.sha256)
      if found.isStray { return .stray(.stray(name), sha256: sha256) }
      if let reason = found.refusal {
        return .refused(RefusedRecord(location: name, reason: reason), batch: found.batch, sha256: sha256)
      }
      return .report(AdyenReport(found.file, batch: found.batch ?? 0))
    } catch {
      throw ProviderFailure(kind: .other, sentence: "\(error)")
    }
  }

  /// Highest number first, as they are taken from the end. Files that have landed are left out.
  private mutating func list(_ history: AdyenHistory) throws(FolderProblem) {
    var found: [Found] = []
    var seen: Set<String> = []
    for name in try folder.allNames(ignoring: ignored) {
      let plain = name.split(separator: "/").last.map(String.init) ?? name
      if AdyenReportName.isOther(plain) {
        logger.info("\(name): a report that is not needed; it is not read")
        continue
      }
      if let report = AdyenReportName(plain), report.batch < firstBatch { continue }
      let file = try folder.file(name)
      guard !history.has(file.sha256), seen.insert(file.sha256).inserted else { continue }
      guard let one = Self.look(at: file, AdyenReportName(plain), plain) else { continue }
      if one.batch.map({ $0 >= firstBatch }) ?? true { found.append(one) }
    }
    rest = found.sorted { ($0.batch ?? .max, $0.file.name) > ($1.batch ?? .max, $1.file.name) }
  }

  /// By its name; by its content if the name only resembles a report's or is any other. nil: a report of a balance
  /// platform.
  private static func look(at file: DeliveredFile, _ name: AdyenReportName?, _ plain: String) -> Found? {
    if let name, name.format == "csv" { return Found(file: file, batch: name.batch) }
    let heading = FileHeading(path: file.path)
    if heading.has(AdyenColumns.settlement) {
      // A report without rows has no batch, and no other information either.
      return Found(file: file, batch: AdyenReport.firstBatch(of: file) ?? name?.batch)
    }
    let batch = name?.batch ?? AdyenReportName.batch(within: plain)
    if name != nil || AdyenReportName.claims(plain) {
      let reason =
        "it is no CSV; choose CSV for the Settlement details report in the Customer Area, and deliver it again"
      return Found(file: file, batch: batch, refusal: reason)
    }
    if AdyenColumns.looksLikeSettlement(heading) {
      return Found(file: file, batch: AdyenReport.firstBatch(of: file) ?? batch)
    }
    if heading.has(AdyenPlatformColumns.accounting) || heading.has(AdyenPlatformColumns.payouts) { return nil }
    return Found(file: file, batch: nil, isStray: true)
  }
}

/// The reports that Adyen offers for download: number after number until one is missing.
struct AdyenReportSeries: AdyenReportSource {
  /// How many consecutive numbers may be missing before only those known to exist are requested.
  private static let patience = 20

  private let api: AdyenReportAPI
  private let firstBatch: Int64?
  /// The names of reports that notifications announce, by batch.
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

  mutating func next(_ history: AdyenHistory) async throws(ProviderFailure) -> AdyenDelivery? {
    let landed = Set(history.deliveries.filter(\.file.isWhole).compactMap(\.batch))
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
