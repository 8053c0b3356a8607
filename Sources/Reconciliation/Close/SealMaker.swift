import Cryptography
import Decisions
import Files
import Foundation
import Landing
import Payments
import Reports
import Storage

/// Writes the folder of a closed period: all its reports, the figures that adjustments are computed against, and the
/// seal.
struct SealMaker {
  let night: ReconciliationRun
  let database: any Database
  let derivation: Derivation
  let state: ClosedState
  /// Obstacles that were overridden.
  let overridden: [String]

  static let decisions = "decisions.jsonl"
  /// The files that a derivation does not reproduce; it reproduces all others byte by byte.
  static let given = [Publication.runFile, decisions, Seal.fileName]
  /// The list of the statements of connected accounts, with their hashes.
  static let statements = "statements.csv"
  /// The folder with the configuration that figures depend on, without secrets.
  static let configuration = "configuration"

  /// A period's folder: its name, with the number of the close if it was closed before.
  static func folder(of period: String, _ periods: ClosedPeriods) -> String {
    let before = periods.closings.count { $0.period == period }
    return before == 0 ? period : "\(period).\(before + 1)"
  }

  /// - Returns: the line for the log.
  func make(_ order: CloseOrder) throws -> PeriodLine {
    let name = Self.folder(of: order.period.name, state.periods)
    let number = state.periods.closings.count + 1
    let folder = try SealedFolder("\(night.closedFolder)/\(name)")
    do {
      let (summary, written) = try night.writeSealed(
        database, derivation, state, number: number, into: folder.partial)
      let record = RunRecord(
        night: night, summary: summary, files: written, supersedes: nil, timings: Timings(logger: night.logger),
        groups: derivation.groups)
      try folder.add(Publication.runFile, try record.json(database))
      try folder.add(Self.decisions, try decisionLines())
      try ConfigurationCopy(night.settings).write(into: folder)
      let seal = try seal(order, number, summary, folder.partial)
      let bytes = try seal.encode()
      try folder.add(Seal.fileName, bytes)
      try folder.show()
      return seal.line(sha256: SHA256.hash(bytes).hexadecimal, folder: name)
    } catch {
      folder.discard()
      throw error
    }
  }

  /// The decisions about what the period's reports list, as in the log.
  private func decisionLines() throws -> [UInt8] {
    var listed: Set<String> = []
    try database.query("select discrepancy_id from discrepancy") { row in listed.insert(row.text(0) ?? "") }
    var bytes: [UInt8] = []
    for line in try LogFile(path: DecisionLog(landing: night.settings.landing.directory).path).lines().lines {
      guard let decision = try? JSONDecoder().decode(Decision.self, from: line),
        listed.contains(decision.discrepancyID)
      else { continue }
      bytes += line + [UInt8(ascii: "\n")]
    }
    return bytes
  }

  private func seal(
    _ order: CloseOrder, _ number: Int, _ summary: RunSummary, _ folder: String
  ) throws -> Seal {
    let range = night.range
    let directory = night.settings.landing.directory
    let survey = try Landing(directory: directory).survey()
    let manifests = survey.manifests.compactMap(\.link).sorted { $0.sequence < $1.sequence }
    return Seal(
      period: order.period.name, number: number, from: "\(range.firstDay)", to: "\(range.lastDay)",
      timeZone: night.settings.reporting.timeZone, coversFrom: night.coversFrom(state), startsAt: range.startsAt,
      endsAt: range.endsAt, sealedAt: Instant.text(night.now), preparedBy: order.preparedBy,
      reviewedBy: order.reviewedBy, note: order.note, overridden: overridden, verdict: summary.verdict.rawValue,
      version: night.version, configurationHash: RunRecord.hash(night.settings.canonicalText),
      rules: night.rulesHash, statements: try night.statementsHash(), adjustments: state.adjustments.count,
      sequence: survey.newest?.sequence ?? 0,
      files: SealedFolder.names(folder).compactMap { name in
        SealedFolder.measure("\(folder)/\(name)").map { Seal.File(file: name, bytes: $0.bytes, sha256: $0.sha256) }
      },
      manifests: manifests.map { Seal.Landed(sequence: $0.sequence, manifest: $0.manifestPath, sha256: $0.sha256) },
      logs: try Self.logs.map { try Self.log($0, in: directory) },
      previous: state.periods.closings.last?.seal.sha256 ?? "")
  }

  /// The logs that a derivation depends on.
  static let logs = [
    DecisionLog.fileName, PublicationLog.fileName, LostFiles.fileName, PeriodLog.fileName, AdjustmentLog.fileName,
  ]

  /// A log in its present state.
  static func log(_ name: String, in directory: String) throws -> Seal.Log {
    log(name, try LogFile(path: "\(directory)/\(name)").lines().lines)
  }

  static func log(_ name: String, _ lines: [Data]) -> Seal.Log {
    var hash = SHA256()
    for line in lines { hash.update(line + [UInt8(ascii: "\n")]) }
    return Seal.Log(file: name, lines: lines.count, sha256: hash.finalize().hexadecimal)
  }
}

extension ReconciliationRun {
  /// The instant from which movements before the period belong to its opening: where the previous closed period ends.
  func coversFrom(_ state: ClosedState) -> Int64 { state.periods.openFrom ?? -(1 << 62) }

  /// Writes the parts of a seal that follow from the landing zone: the reports, the statements, and the movements.
  ///
  /// - Parameter number: the number of the close, which its statements have too.
  func writeSealed(
    _ database: any Database, _ derivation: Derivation, _ state: ClosedState, number: Int, into folder: String
  ) throws -> (summary: RunSummary, files: [WrittenFile]) {
    let summary = try summary(database, derivation, nil)
    var run = try reportRun(database)
    run.statementNumber = number
    var files = try run.write(from: database, summary: summary, into: folder)
    let text = try SQLStatement(file: "\(resources.sql)/sealed/movements.sql").text
    var sums: [SealedMovements.Key: Int64] = [:]
    for (table, from, to) in [
      (SealedMovements.opening, coversFrom(state), range.startsAt),
      (SealedMovements.table, range.startsAt, range.endsAt),
    ] {
      files.append(
        try table.write(text, [.integer(from), .integer(to)], from: database, into: folder) { row in
          let key = SealedMovements.Key(
            provider: row.text(0) ?? "", account: row.text(1) ?? "", connectedAccount: row.text(2) ?? "",
            currency: row.text(3) ?? "",
            figure: table.name == SealedMovements.opening.name ? "opening" : row.text(4) ?? "", rowID: "")
          sums[key, default: 0] += try row.integer(5) ?? 0
        })
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let figures = sums.map { Seal.Figure($0.key, $0.value) }.sorted(by: Seal.Figure.isBefore)
    try encoder.encode(figures).write(to: URL(fileURLWithPath: "\(folder)/\(Seal.Figure.fileName)"))
    return (summary, files)
  }
}

extension Seal.Figure {
  init(_ key: SealedMovements.Key, _ minor: Int64) {
    self.init(
      provider: key.provider, account: key.account, connectedAccount: key.connectedAccount, currency: key.currency,
      figure: key.figure, amountMinor: minor)
  }

  static func isBefore(_ one: Seal.Figure, _ other: Seal.Figure) -> Bool {
    (one.provider, one.account, one.connectedAccount, one.currency, one.figure) < (
      other.provider, other.account, other.connectedAccount, other.currency, other.figure
    )
  }
}
