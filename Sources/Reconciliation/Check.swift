import Payments
import Settings
import Storage

/// The stage that finds discrepancies: runs every check of sql/checks and of the teams' folders at both snapshots.
struct Check {
  let database: any Database
  let definitions: [CheckDefinition]
  let severities: [String: Severity]
  let coverage: SourceCoverage

  /// Runs the checks that do not need the proofs, or those that do.
  func run(afterProofs: Bool) throws {
    for definition in definitions where definition.runsAfterProofs == afterProofs {
      try database.transaction {
        // Without keys: a check that yields two rows about one subject is refused while its rows are read.
        let loader = try database.bulkLoader(into: "finding", columns: Check.columns)
        try state(definition, loader)
        _ = try loader.finish()
      }
    }
  }

  private static let columns = [
    "type", "moment", "subject", "severity", "provider", "account", "order_id", "payment_id", "record_id", "currency",
    "expected_minor",
    "actual_minor", "since", "connected_account", "explanation", "suggested_action",
  ]
  /// The columns that a check must yield; its sentence may use further ones.
  static let required = [
    "moment", "subject", "provider", "account", "order_id", "payment_id", "record_id", "currency", "expected_minor",
    "actual_minor", "since",
  ]

  private func state(_ definition: CheckDefinition, _ loader: any BulkLoader) throws {
    try rows(of: definition) { found, explanation, isClaimed in
      if isClaimed { try load(found, definition, explanation, loader) }
    }
  }

  /// Each row of a check's result, and whether a run claims it.
  ///
  /// - Throws: `SQLStatementError`.
  func rows(
    of definition: CheckDefinition,
    _ body: (_ found: CheckResult, _ explanation: Explanation, _ isClaimed: Bool) throws -> Void
  ) throws {
    let explanation = Explanation(definition.explanation)
    var columns: [String: Int]?
    var subjects: Set<CheckSubject> = []
    try database.read(definition.statement, within: definition.limits) { row in
      let places = try columns ?? Check.places(row, definition, explanation)
      columns = places
      let found = CheckResult(row, columns: places)
      let subject = CheckSubject(moment: try found.integer("moment"), name: found.text("subject") ?? "")
      guard subjects.insert(subject).inserted else {
        throw SQLStatementError.twoRows(file: definition.statement.file, subject: subject.name)
      }
      if definition.isOfTeam { try examine(found, subject.name, definition.statement.file) }
      try body(found, explanation, try isKnown(found, definition))
    }
  }

  /// Refuses a row whose currency, amounts or instant no record could have: a sum or a date of it would end the run.
  private func examine(_ found: CheckResult, _ subject: String, _ file: String) throws {
    let refuse = { (what: String) in
      SQLStatementError.column(file: file, "has a row (subject \"\(subject.prefix(60))\") \(what)")
    }
    let currency = found.text("currency") ?? ""
    if !currency.isEmpty, (try? Currency(code: currency)) == nil {
      throw refuse("with the currency \"\(currency.prefix(10))\"; expected a code of ISO 4217, or nothing")
    }
    for name in ["expected_minor", "actual_minor"] {
      if let minor = try found.integer(name), (try? Limits.amount(minor)) == nil {
        throw refuse("whose \(name) is beyond 10^15 minor units")
      }
    }
    if let since = try found.integer("since"), !(0...Limits.instants.upperBound).contains(since) {
      throw refuse("whose since is no instant of the years 1970 to 2100, in Unix seconds")
    }
  }

  /// The subject of a check's row at a snapshot: of two rows about the same subject, one would be lost.
  private struct CheckSubject: Hashable {
    var moment: Int64?
    var name: String
  }

  private static func places(_ row: any Row, _ definition: CheckDefinition, _ explanation: Explanation) throws
    -> [String: Int]
  {
    let places = Dictionary(row.names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let missing = required.filter { places[$0] == nil }
    guard missing.isEmpty else {
      throw SQLStatementError.column(
        file: definition.statement.file, "lacks the column \(missing.joined(separator: ", "))")
    }
    let unknown = explanation.names.filter { name in
      name != "difference" && places[name] == nil && places["\(name)_minor"] == nil && places["\(name)_at"] == nil
    }
    guard unknown.isEmpty else {
      throw SQLStatementError.column(
        file: definition.statement.file, "lacks what its sentence names in braces: \(unknown.joined(separator: ", "))")
    }
    return places
  }

  /// A check that claims something is missing reports only if the sources that would contain it are complete up to the
  /// instant of the claim; what follows from records that were read is always reported.
  private func isKnown(_ found: CheckResult, _ definition: CheckDefinition) throws -> Bool {
    guard let since = try found.integer("since") else {
      throw SQLStatementError.column(file: definition.statement.file, "has a row without since")
    }
    return definition.restsOn.allSatisfy { coverage.isKnown($0, of: found.text("provider") ?? "", at: since) }
  }

  private func load(
    _ found: CheckResult, _ definition: CheckDefinition, _ explanation: Explanation, _ loader: any BulkLoader
  )
    throws
  {
    let severity = severities[definition.type] ?? definition.severity
    try loader.append(text: definition.type)
    try loader.append(integer: try found.integer("moment"))
    try loader.append(text: found.text("subject") ?? "")
    try loader.append(text: severity.rawValue)
    for name in ["provider", "account", "order_id", "payment_id", "record_id", "currency"] {
      try loader.append(text: found.text(name) ?? "")
    }
    for name in ["expected_minor", "actual_minor", "since"] { try loader.append(integer: try found.integer(name)) }
    try loader.append(text: found.text("connected_account") ?? "")
    try loader.append(text: try explanation.render(found))
    try loader.append(text: definition.suggestedAction)
    try loader.endRow()
  }
}
