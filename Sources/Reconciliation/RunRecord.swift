import Cryptography
import Foundation
import Landing
import Payments
import Reports
import Storage

/// run.json: what this run read and found, how long it took, and what it published (docs/contract.md section 4).
struct RunRecord {
  let night: ReconciliationRun
  let summary: RunSummary
  let files: [WrittenFile]
  let supersedes: String?
  let timings: Timings
  /// Days between the report before and this range that no report covers.
  var missedDays: [BusinessDay] = []
  var groups: GroupCount
  /// The closed periods that contain days of the range.
  var closedPeriods: [ClosedNote] = []

  func json(_ database: any Database) throws -> [UInt8] {
    let body = Body(
      runID: UUID().uuidString.lowercased(), version: night.version, startedAt: Instant.text(night.now),
      range: .init(
        from: "\(night.range.firstDay)", to: "\(night.range.lastDay)", timeZone: night.settings.reporting.timeZone,
        startsAt: Instant.text(night.range.startsAt), endsAt: Instant.text(night.range.endsAt)),
      asOf: night.asOf.map(Instant.text), verdict: summary.verdict.rawValue, reasons: summary.reasons,
      supersedes: supersedes,
      missedDays: missedDays.map(\.description), closedPeriods: closedPeriods, groups: groups,
      configurationHash: RunRecord.hash(night.settings.canonicalText), sources: try streams(database),
      refundsOfUnknownOrders: try UnknownOrders.find(in: database, night.range), totals: totals,
      matches: summary.figures.matches, discrepancies: types, proofs: try proofs(database),
      stages: timings.stages.map {
        .init(stage: $0.name, milliseconds: $0.milliseconds, processorMilliseconds: $0.processorMilliseconds)
      },
      peakMemoryKib: RunRecord.peakMemory,
      reports: files.map { .init(file: $0.name, sha256: $0.sha256, bytes: $0.bytes, rows: $0.rows) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return Array(try encoder.encode(body)) + [UInt8(ascii: "\n")]
  }

  static func hash(_ text: String) -> String {
    SHA256.hash(text.utf8).hexadecimal
  }

  private static var peakMemory: Int64 {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int64(usage.ru_maxrss)
  }

  private var totals: [Body.Total] {
    summary.figures.totals.map { total in
      func text(_ minor: Int64) -> String { Money(amountMinor: minor, currency: total.currency).decimalText }
      return Body.Total(
        provider: total.provider, currency: total.currency.code, captured: text(total.captured),
        refunded: text(total.refunded),
        disputed: text(total.disputed), fees: text(total.fees), transferred: text(total.transferred),
        commission: text(total.commission),
        kept: text(total.kept), paidOut: text(total.paidOut), exchange: text(total.exchange),
        reserves: text(total.reserves),
        adjustments: text(total.adjustments), unclassified: text(total.unclassified))
    }
  }

  private var types: [Body.TypeCount] {
    summary.figures.types.map { type in
      let currency = try? Currency(code: type.currency)
      return Body.TypeCount(
        type: type.type, severity: type.severity, currency: type.currency, cases: type.cases,
        difference: currency.map { Money(amountMinor: type.differenceMinor, currency: $0).decimalText })
    }
  }

  /// The newest pull of each stream.
  private func streams(_ database: any Database) throws -> [Body.Stream] {
    var streams: [Body.Stream] = []
    let others = try otherAccounts()
    try database.query(
      """
      select f.source, f.stream, f.path, f.window_from, f.window_to, f.watermark, f.objects, f.complete, f.reason,
        f.observed_at
      from landed_file f
      join (select source, stream, max(file_id) as file_id from landed_file group by source,
        stream) n on n.file_id = f.file_id
      order by f.source, f.stream
      """
    ) { row in
      streams.append(
        Body.Stream(
          source: row.text(0) ?? "", stream: row.text(1) ?? "", file: row.text(2) ?? "",
          windowFrom: Instant.text(try row.integer(3) ?? 0), windowTo: Instant.text(try row.integer(4) ?? 0),
          watermark: Instant.text(try row.integer(5) ?? 0), objects: try row.integer(6) ?? 0,
          isComplete: try row.integer(7) == 1,
          reason: row.text(8), observedAt: Instant.text(try row.integer(9) ?? 0),
          otherAccounts: others[row.text(2) ?? ""] ?? 0))
    }
    return streams
  }

  /// By the path of each landed file, how many records of accounts that are not configured its pull had before it.
  private func otherAccounts() throws -> [String: Int] {
    let manifests = try Landing(directory: night.settings.landing.directory).listing().manifests
    return Dictionary(manifests.map { ($0.path, $0.otherAccounts ?? 0) }) { one, _ in one }
  }

  private func proofs(_ database: any Database) throws -> [Body.Proof] {
    var proofs: [Body.Proof] = []
    try database.query(
      """
      select proof, cast(count(*) as bigint), cast(sum(case when holds = 1 then 0 else 1 end) as bigint) from proof_line
      group by proof order by proof
      """
    ) { row in
      proofs.append(
        Body.Proof(proof: row.text(0) ?? "", lines: try row.integer(1) ?? 0, broken: try row.integer(2) ?? 0))
    }
    return proofs
  }
}

extension RunRecord {
  /// The layout of run.json; keys are written with underscores.
  struct Body: Encodable {
    struct Range: Encodable { let from, to, timeZone, startsAt, endsAt: String }
    struct Stream: Encodable {
      let source, stream, file, windowFrom, windowTo, watermark: String
      let objects: Int64
      let isComplete: Bool
      let reason: String?
      let observedAt: String
      /// Records of accounts that are not configured: neither read nor refused.
      let otherAccounts: Int
    }
    struct Total: Encodable {
      let provider, currency, captured, refunded, disputed, fees, transferred, commission, kept, paidOut: String
      let exchange, reserves, adjustments, unclassified: String
    }
    struct TypeCount: Encodable {
      let type, severity, currency: String
      let cases: Int64
      let difference: String?
    }
    struct Proof: Encodable {
      let proof: String
      let lines, broken: Int64
    }
    struct Stage: Encodable {
      let stage: String
      let milliseconds, processorMilliseconds: Int64
    }
    struct File: Encodable {
      let file, sha256: String
      let bytes: Int64
      let rows: Int64
    }
    let runID, version, startedAt: String
    let range: Range
    let asOf: String?
    let verdict: String
    let reasons: [String]
    let supersedes: String?
    let missedDays: [String]
    let closedPeriods: [ClosedNote]
    let groups: GroupCount
    let configurationHash: String
    let sources: [Stream]
    let refundsOfUnknownOrders: [UnknownOrders]
    let totals: [Total]
    let matches: [String: Int64]
    let discrepancies: [TypeCount]
    let proofs: [Proof]
    let stages: [Stage]
    let peakMemoryKib: Int64
    let reports: [File]
  }
}
