import Foundation
import Landing
import OrderSources
import Payments
import Reports
import Storage

/// What a run reads from the log of publications, and what it adds to it.
extension ReconciliationRun {
  /// The state that readers know from the report before this one.
  func readerState() throws -> ReaderState {
    let history = try history(asOf: asOf)
    return ReaderState(
      listed: history.listedAsOpen(endingAt: range.startsAt), startsAt: range.startsAt,
      before: history.listedAsOpen(from: range.startsAt, to: range.endsAt) ?? [:],
      within: history.listedAsOpen(within: range.startsAt, to: range.endsAt))
  }

  /// Whether the check of a listed discrepancy is silent because a source was not read up to the instant of the claim.
  func withholds(_ row: ListedDiscrepancy, _ checks: [CheckDefinition], _ coverage: SourceCoverage) -> Bool {
    if coverage.isBroken(of: row.provider) { return true }
    return checks.first { $0.type == row.type }.map { coverage.withholds($0.restsOn, of: row.provider, at: row.since) }
      ?? false
  }

  /// Records what was published; a replay is not part of the nightly sequence of reports and is not recorded.
  func recordPublication(_ database: any Database, _ report: RunReport) throws {
    guard asOf == nil else { return }
    try PublicationLog(landing: settings.landing.directory).append(
      PublishedReport(
        database, range: range, at: now, verdict: report.verdict.rawValue, version: version,
        exitStatus: exitStatus(report), landed: newestLanded))
  }

  /// The end of the landing chain, recorded in the log of publications independently of the store; nil where there is
  /// no chain.
  private var newestLanded: ChainLink? { try? Landing(directory: settings.landing.directory).survey().newest }

  /// The days that a run without a date reconciles.
  ///
  /// - Parameter yesterday: the last day that has ended.
  /// - Throws: the error of the log's file.
  package func dueDays(yesterday: BusinessDay) throws -> DueDays {
    let history = try history(asOf: nil)
    return DueDays(newest: history.newest?.lastDay ?? latestPublished, yesterday: yesterday, isCovered: history.covers)
  }

  /// The newest day in the output folder, for an installation that is older than its log of publications.
  private var latestPublished: BusinessDay? {
    let latest = try? FileManager.default.destinationOfSymbolicLink(atPath: settings.reporting.output + "/latest")
    return latest.flatMap { PublishedRange(name: $0) }?.lastDay
  }

  func history(asOf: Int64?) throws -> PublicationHistory {
    let (history, warnings) = try PublicationLog(landing: settings.landing.directory).read(asOf: asOf)
    for warning in warnings { logger.warning("\(warning)") }
    return history
  }
}

extension SourceCoverage {
  /// Whether a claim is withheld because a source that it rests on was not read up to the instant of the claim.
  func withholds(_ subjects: [String], of provider: String, at since: Int64) -> Bool {
    subjects.contains { subject in
      let source = OrderStream(rawValue: subject) == nil ? provider : ""
      guard let extent = extents[source]?[subject], extent.isAsked else { return false }
      return !extent.isComplete && since > extent.knownUntil
    }
  }
}
