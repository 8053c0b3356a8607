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
    let listed = history.listedAsOpen(endingAt: range.startsAt)
    return ReaderState(
      listed: listed, startsAt: range.startsAt,
      earlier: listed == nil ? history.listedAsOpen(endingBy: range.startsAt) ?? [:] : [:],
      before: history.listedAsOpen(from: range.startsAt, to: range.endsAt) ?? [:],
      within: history.listedAsOpen(within: range.startsAt, to: range.endsAt))
  }

  /// Whether the check of a listed discrepancy is silent because a source was not read up to the instant of the claim,
  /// or because its coverage begins later than it did.
  func withholds(
    _ row: ListedDiscrepancy, _ checks: [CheckDefinition], _ coverage: SourceCoverage, in database: any Database
  ) throws -> Bool {
    if coverage.isBroken(of: row.provider) { return true }
    // Nothing is known of a provider that is not configured any more.
    if !row.provider.isEmpty, !settings.providers.contains(where: { $0.name == row.provider }) { return true }
    guard let check = checks.first(where: { $0.type == row.type }) else { return false }
    if coverage.withholds(check.restsOn, of: row.provider, at: row.since) { return true }
    if try isUnknown(row, checks, in: database) { return true }
    let read = check.restsOn + check.alsoReads
    guard ["", row.provider].contains(where: { coverage.beginsLater(read, of: $0, at: row.since) }) else {
      return false
    }
    let nodes =
      IdentifierList.names(in: row.orderID).map { "o:\($0)" }
      + IdentifierList.names(in: row.paymentID).map { "p:\(row.provider):\($0)" }
    return try nodes.contains { try isPending($0, in: database) }
  }

  /// Whether the match of a discrepancy's order and payment cannot be known now, because a source that may have the
  /// rest was not read that far. An order that is not due yet is no such case.
  func isUnknown(_ row: ListedDiscrepancy, _ checks: [CheckDefinition], in database: any Database) throws -> Bool {
    let check = checks.first { $0.type == row.type }
    guard let check, check.restsOn.contains(CheckDefinition.matches), !row.paymentID.isEmpty else { return false }
    return try IdentifierList.names(in: row.orderID).contains { order in
      try database.integer(
        """
        select count(*) from match_node n
        join group_at g on g.moment = 1 and g.group_id = n.group_id
        join pair_at p on p.moment = 1 and p.group_id = n.group_id
        join customer_order o on o.order_id = p.order_id
        where n.node = $1 and g.match_status = 'pending' and g.finding = 'none' and g.payments > 0
        having sum(case when o.status in ('pending', 'cancelled') then 0 else 1 end) > 0
          or sum(case when o.status = 'pending' then 1 else 0 end) = 0
        """, [.text("o:\(order)")]) != nil
    }
  }

  /// Whether the matching of an order or a payment waits for records.
  private func isPending(_ node: String, in database: any Database) throws -> Bool {
    try database.integer(
      """
      select 1 from match_node n join group_at g on g.moment = 1 and g.group_id = n.group_id
      where n.node = $1 and g.match_status = 'pending'
      """, [.text(node)]) != nil
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
    return DueDays(
      newest: newestWholeDay(history) ?? latestPublished, yesterday: yesterday, isCovered: history.covers)
  }

  /// The newest day whose last instant a report covers. Its report may have been made in another time zone, and then
  /// end before the day of that name does.
  private func newestWholeDay(_ history: PublicationHistory) -> BusinessDay? {
    guard let newest = history.newest, let end = history.publications.map(\.endsAt).max() else { return nil }
    let whole = calendar.day(containing: end).advanced(by: -1)
    return min(newest.lastDay, whole)
  }

  /// The newest day in the output folder, for an installation that is older than its log of publications.
  private var latestPublished: BusinessDay? {
    let latest = try? FileManager.default.destinationOfSymbolicLink(atPath: settings.reporting.output + "/latest")
    return latest.flatMap { PublishedRange(name: $0) }?.lastDay
  }

  func history(asOf: Int64?) throws -> PublicationHistory {
    let (history, warnings) = try PublicationLog(landing: settings.landing.directory).read(asOf: asOf)
    for warning in warnings { logger.warning("\(warning)") }
    return history.without(after: calendar.day(containing: now))
  }
}

extension SourceCoverage {
  /// Whether an instant lies before the coverage of a source that a claim rests on.
  func beginsLater(_ subjects: [String], of provider: String, at since: Int64) -> Bool {
    subjects.contains { subject in
      let source = OrderStream(rawValue: subject) == nil ? provider : ""
      return extents[source]?[subject].map { $0.isAsked && since < $0.coversFrom } ?? false
    }
  }

  /// Whether a claim is withheld because a source that it rests on was not read up to the instant of the claim.
  func withholds(_ subjects: [String], of provider: String, at since: Int64) -> Bool {
    subjects.contains { subject in
      let source = OrderStream(rawValue: subject) == nil ? provider : ""
      guard let extent = extents[source]?[subject], extent.isAsked else { return false }
      return !extent.isComplete && since > extent.knownUntil
    }
  }
}
