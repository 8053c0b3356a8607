import Cryptography
import Foundation
import Settings
import Storage

/// What a run derived.
struct Derivation {
  let coverage: SourceCoverage
  /// Whether everything was derived, rather than only the groups of records that are alive in the range.
  let isWhole: Bool
  let groups: GroupCount
}

extension ReconciliationRun {
  /// Decides which groups of records are derived, and supplies the rest from what earlier runs kept.
  ///
  /// Everything is derived if nothing was kept, if the configuration or version it was derived with has changed, or if
  /// a team has its own checks or reports, which may read any record.
  ///
  /// - Returns: whether everything is derived.
  func chooseGroups(_ database: any Database, asked: [String]) throws -> Bool {
    let isWhole = try derivesWhole || !isKept(database)
    if isWhole {
      try addTraits(database)
      return true
    }
    let alive = AliveGroups(database: database, sql: resources.sql, asked: asked)
    let reach = try alive.reach(range)
    try alive.choose(from: reach.start, to: reach.end)
    try takeKeptTraits(database)
    return false
  }

  /// Loads facts about each provider that cannot be derived from the alive groups alone.
  func takeKeptTraits(_ database: any Database) throws {
    try database.execute(
      "insert into provider_trait (provider, trait, value) select provider, trait, value from kept_trait")
    try addTraits(database)
  }

  /// How many groups were derived, and how many there are.
  func countGroups(_ database: any Database, isWhole: Bool) throws -> GroupCount {
    let all = try database.integer("select count(*) from record_group") ?? 0
    let alive = try isWhole ? all : database.integer("select count(*) from alive_group where group_no <> 0") ?? 0
    return GroupCount(derived: alive, all: all)
  }

  private func addTraits(_ database: any Database) throws {
    for statement in try SQLStatement.folder("\(resources.sql)/traits") { try database.derive(statement) }
  }

  func isKept(_ database: any Database) throws -> Bool {
    guard settings.checks.isEmpty, settings.reports.isEmpty, asOf == nil else { return false }
    guard try sealedStore(database).isCompared() || hasHole(database) else { return false }
    guard let kept = try database.text("select signature from derivation") else { return false }
    if try kept == derivationSignature(database) { return true }
    logger.notice("the configuration or the version has changed since the last run: everything is derived again")
    return false
  }

  /// The inputs of a derivation besides the records: the version, its statements, the configuration (except file
  /// locations and alert recipients), and the statements that balances are counted from.
  func derivationSignature(_ database: any Database) throws -> String {
    var text = try statementsText() + settings.rulesText
    try database.query("select provider, account, at, holds_late from balance_base order by provider, account") { row in
      text += "\n\(row.text(0) ?? "") \(row.text(1) ?? "") \(try row.integer(2) ?? 0) \(try row.integer(3) ?? 0)"
    }
    return SHA256.hash(text.utf8).hexadecimal
  }

  /// The version, and the text of every statement that a derivation runs.
  func statementsText() throws -> String {
    var text = "\(version)\n"
    let folders = try FileManager.default.subpathsOfDirectory(atPath: resources.sql).filter { $0.hasSuffix(".sql") }
      .sorted()
    for file in folders { text += try "\n\(file)\n" + SQLStatement(file: "\(resources.sql)/\(file)").text }
    return text
  }
}

extension Settings {
  /// The part of the configuration that a derivation depends on: all but file locations, logging, alerts and periods.
  var rulesText: String {
    let elsewhere = ["alerts", "heartbeat", "landing", "store", "reporting.output", "logging", "periods"]
    return canonicalText.split(separator: "\n").filter { line in !elsewhere.contains { line.hasPrefix($0) } }
      .joined(separator: "\n")
  }
}

extension Settings {
  /// How long after a group's last fact a deadline of any provider can pass, seconds.
  var longestDeadline: Int64 {
    let deadlines = providers.map { entry in
      let policy = entry.policy
      return [
        policy.captureWithin, policy.expiryWarning, policy.orderPaidWithin + policy.settleWithin,
        policy.settleWithin + policy.reportDueWithin,
        policy.approvalWithin, policy.duplicateRefundWithin,
      ].max() ?? 0
    }
    return (deadlines.max() ?? 0) + 86_400
  }
}
