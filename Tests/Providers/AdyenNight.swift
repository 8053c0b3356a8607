import Foundation
import HTTP
import JSON
import Landing
import Logging
import Payments
import Settings
import Synchronization
import TestSupport

@testable import Providers

/// The password that must never be found again.
let adyenPassword = "findme-report-password"
/// The public test key of Adyen's own client libraries.
let adyenTestKey = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"

/// An Adyen merchant account on loopback, its folders, its landing zone, and nights to pull it.
final class AdyenNight: Sendable {
  let server: LoopbackServer
  let folder: String
  let landing: Landing
  let log = LogLines()
  private let configure: @Sendable (inout AdyenConfiguration) -> Void

  /// - Parameter answer: what is answered for a batch and how often it was asked for, from 1; nil: 404.
  init(
    _ configure: @escaping @Sendable (inout AdyenConfiguration) -> Void = { _ in },
    answer: @escaping @Sendable (Int64, Int) -> LoopbackServer.Reply? = { _, _ in nil }
  ) async throws {
    let counts = Mutex<[Int64: Int]>([:])
    server = try await LoopbackServer { asked in
      let batch = asked.path.split(separator: "/").last.flatMap { AdyenReportName(String($0))?.batch } ?? -1
      let count = counts.withLock { counts in
        counts[batch, default: 0] += 1
        return counts[batch, default: 0]
      }
      return answer(batch, count) ?? .whole(404, headers: [:], body: "")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("adyen-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/hooks", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/reports", withIntermediateDirectories: true)
    landing = Landing(directory: folder + "/landing")
    self.configure = configure
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func provider() throws -> Adyen {
    var configuration = AdyenConfiguration(
      name: "adyen", merchantAccount: "AcmeNL",
      reports: .download(baseURL: server.baseURL, username: "report_1@Company.Acme", password: Secret(adyenPassword)))
    configuration.firstBatch = 1
    configuration.retry = RetryPolicy(attempts: 3, timeout: .seconds(20))
    configuration.signatureKeys = [AdyenSignatureKey(hexadecimal: adyenTestKey)].compactMap { $0 }
    configure(&configuration)
    switch configuration.reports {
    case .folder: configuration.reports = .folder(folder + "/reports")
    default: break
    }
    if configuration.webhooksDirectory != nil { configuration.webhooksDirectory = folder + "/hooks" }
    let log = log
    let logger = Logger(label: "test") { _ in RecordingLog(lines: log) }
    let waiting = Waiting(sleep: { _ in }, jitter: { 1 }, now: { dayEnd + 600 })
    return try Adyen(configuration, waiting: waiting, logger: logger)
  }

  func write(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + path))
  }

  func pull(end: Int64 = dayEnd) async throws -> PullOutcome {
    try await provider().pull(PullOrder(rangeFrom: end - day, rangeTo: end, now: end + 600), into: landing)
  }

  func manifest(_ stream: AdyenStream = .settlement) throws -> Manifest? {
    try landing.manifests().last { $0.stream == stream.rawValue }
  }

  /// The landed lines of a stream, of all pulls, in reading order.
  func lines(_ stream: AdyenStream = .settlement) throws -> [String] {
    var lines: [String] = []
    for manifest in try landing.manifests() where manifest.stream == stream.rawValue {
      try landing.read(manifest) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  /// The batches asked for, in their order.
  var batches: [Int64] {
    server.asked.compactMap { $0.path.split(separator: "/").last.flatMap { AdyenReportName(String($0))?.batch } }
  }

  /// Every text that a secret could have got into.
  func everything(_ outcome: PullOutcome) throws -> String {
    try (lines() + lines(.notifications) + log.all).joined(separator: "\n") + "\(outcome)\(try landing.manifests())"
  }
}

/// Settlement detail reports as they come, row by row.
struct AdyenBatch {
  static let header =
    "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation "
    + "Date,TimeZone,Type,Modification Reference,"
    + "Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit "
    + "(NC),Commission (NC),Markup (NC),"
    + "Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number,Booking "
    + "Date,Booking Date TimeZone"
  var number: Int64
  var account = "AcmeNL"
  private(set) var rows: [[String]] = []

  init(_ number: Int64, account: String = "AcmeNL") {
    self.number = number
    self.account = account
  }

  /// Amounts in cents, signed; a rate turns the gross currency into EUR.
  mutating func add(
    _ type: String, _ psp: String = "", _ modification: String = "", gross: Int64? = nil, currency: String = "EUR",
    rate: String = "1",
    net: Int64, fees: [Int64] = [0, 0, 0, 0], at: String = "2026-02-27 10:00:00", booked: String = "2026-03-01 02:10:00"
  ) {
    func text(_ minor: Int64?, _ sign: Int64) -> String {
      guard let minor, minor * sign > 0 else { return "" }
      return Money.decimalText(minor * sign, digits: 2)
    }
    let hasPayment = !psp.isEmpty
    var row = [
      "Acme", account, psp, hasPayment ? "ORD-\(psp)" : "", hasPayment ? "visa" : "", at, "CET", type, modification,
    ]
    row += [gross == nil ? "" : currency, text(gross, -1), text(gross, 1), gross == nil ? "" : rate]
    row += ["EUR", text(net, -1), text(net, 1)]
    for fee in fees { row.append(text(fee, 1)) }
    rows.append(row + ["", "", "\(number)", booked, "CET"])
  }

  var text: String {
    ([Self.header] + rows.map { $0.map(Self.quoted).joined(separator: ",") }).joined(separator: "\n") + "\n"
  }

  static func quoted(_ cell: String) -> String { cell.contains(",") ? "\"\(cell)\"" : cell }

  /// One sale of 10.00 with a fee of 0.10, paid out.
  static func small(_ number: Int64, account: String = "AcmeNL", booked: String = "2026-03-01 02:10:00") -> String {
    var batch = AdyenBatch(number, account: account)
    batch.add("Settled", "PSP\(number)", "CAP\(number)", gross: 1000, net: 990, fees: [0, 10, 0, 0], booked: booked)
    batch.add("MerchantPayout", "", "TX\(number)XT batch \(number), \(account)", net: -990, booked: booked)
    return batch.text
  }
}

/// Keeps what a reader makes of a report.
final class AdyenNouns: RecordSink {
  var rows: [(row: LedgerRow, postings: [Posting])] = []
  var events: [RecordEvent] = []
  var references: Set<String> = []
  var words: [UnknownWord] = []
  var broken: [BrokenRow] = []
  var others: [String] = []

  func add(_ row: LedgerRow, _ postings: [Posting]) { rows.append((row, postings)) }
  func add(_ payment: Payment) { others.append("payment") }
  func add(_ intent: Intent) { others.append("intent") }
  func add(_ reference: Reference) { references.insert("\(reference.ownerID) \(reference.name) \(reference.value)") }
  func add(_ refund: Refund) { others.append("refund") }
  func add(_ transfer: Transfer) { others.append("transfer") }
  func add(_ reversal: TransferReversal) { others.append("reversal") }
  func add(_ fee: ApplicationFee) { others.append("fee") }
  func add(_ refund: ApplicationFeeRefund) { others.append("fee refund") }
  func add(_ dispute: Dispute) { others.append("dispute") }
  func add(_ payout: Payout) { others.append("payout \(payout.payoutID) \(payout.amountMinor)") }
  func add(_ line: PayoutLine) { others.append("payout line") }
  func add(_ step: PayoutStep) { others.append("step \(step.payoutID) \(step.status) \(step.amountMinor)") }
  func add(_ balance: StatedBalance) { others.append("balance") }
  func add(_ word: UnknownWord) { words.append(word) }
  func add(_ event: RecordEvent) { events.append(event) }
  func add(_ batch: AnnouncedBatch) { others.append("announced \(batch.batchID)") }
  func add(_ batch: SettlementBatch) { others.append("batch \(batch.batchID) \(batch.closedAt)") }
  func add(_ chunk: BatchChunk) { others.append("chunk") }
  func add(_ value: BatchValue) { others.append("value \(value.name) \(value.amountMinor)") }
  func add(_ row: BrokenRow) { broken.append(row) }
  func add(_ net: SettledNet) { others.append("settled net") }
  func add(_ key: Credential) { others.append("credential") }

  /// What the rows leave the platform with, and what their postings do.
  var netMinor: Int64 { rows.reduce(0) { $0 + $1.row.netMinor } }
  var postedMinor: Int64 {
    var sum: Int64 = 0
    for posting in rows.flatMap(\.postings) {
      sum += posting.to == .platform ? posting.amountMinor : -posting.amountMinor
    }
    return sum
  }

  /// Everything, to compare two readings.
  var fingerprint: [String] {
    var parts: [String] = rows.map { "\($0.row) \($0.postings)" }
    parts += events.map { "\($0)" }
    parts += references.sorted()
    parts += words.map { "\($0)" }
    return parts + others
  }

  /// Reads a report's text as the night does: to landed lines, and from them.
  static func reading(
    _ text: String, _ name: String = "settlement_detail_report_batch_1.csv", configuration: AdyenConfiguration? = nil
  ) throws -> (nouns: AdyenNouns, refused: [RefusedRecord]) {
    let own = AdyenConfiguration(name: "adyen", merchantAccount: "AcmeNL", reports: .folder("/nowhere"))
    let reader = AdyenReader(configuration ?? own)
    let nouns = AdyenNouns()
    var refused: [RefusedRecord] = []
    let parser = JSONParser()
    let report = AdyenReport(name: name, batch: AdyenReportName(name)?.batch ?? 0, body: Array(text.utf8))
    try report.lines(account: (configuration ?? own).merchantAccount ?? "") { line in
      switch line {
      case .failure(let refusal): refused.append(refusal)
      case .success(let line):
        do {
          let origin = Origin(file: 1, line: 1, observedAt: 0, rangeTo: 0)
          try parser.parse(line) {
            try reader.read($0, stream: AdyenStream.settlement.rawValue, from: origin, into: nouns)
          }
        } catch let refusal as RefusedRecord { refused.append(refusal) }
      }
    }
    return (nouns, refused)
  }
}
