import Foundation
import Landing
import Payments
import Reports
import Settings
import Storage

/// The result of a single check at the end of a range, without a report and without changing the store.
package struct CheckTrial: Sendable, Encodable {
  package struct Row: Sendable, Encodable {
    /// The discrepancy that a run would list.
    package var discrepancyID: String
    package var subject: String
    /// `persisting` where it held at the range's first instant already, else `new`.
    package var state: String
    package var severity, provider, account, orderID, paymentID, recordID, currency: String
    /// Exact decimals in `currency`; nil where there is no amount.
    package var expected, actual, difference: String?
    /// RFC 3339.
    package var since: String
    package var explanation, suggestedAction: String
    /// Whether a run would list it: false where a source that it rests on is not complete up to its instant.
    package var isClaimed: Bool
  }
  package var type, file, severity: String
  package var restsOn, alsoReads: [String]
  /// The days at whose end the check ran; nil where it was only examined.
  package var range: String?
  package var rows: [Row] = []
  /// How many rows were found at the range's first instant but no longer at its end.
  package var resolved = 0
}

extension ReconciliationRun {
  /// Examines a check as a run does, and runs it on its own.
  ///
  /// - Parameters:
  ///   - name: a file, or the type of a check that is configured.
  ///   - isNewest: at the end of the newest published range, if there is one, rather than of the days of the run.
  ///   - runs: whether to run it; if false it is only examined.
  /// - Throws: `SQLStatementError` naming file and line where a run would refuse it.
  package func tryCheck(_ name: String, isNewest: Bool, runs: Bool) throws -> CheckTrial {
    let definition = try definition(of: name)
    let store = try Store(settings: settings, resources: resources, isReplay: asOf != nil)
    defer { store.close() }
    try definition.examine(in: store.database)
    var trial = CheckTrial(definition, severity: settings.severity[definition.type])
    guard runs else { return trial }
    var night = self
    if isNewest { night.range = try PublishedList(database: store.database).range(in: calendar) ?? range }
    trial.range = night.range.name
    if asOf != nil {
      try makeReader(store.database, Landing(directory: settings.landing.directory)).catchUp(asOf: asOf)
    }
    var timings = Timings(logger: logger)
    // A check on trial may read any record.
    night.derivesWhole = true
    let coverage = try night.reconcile(store.database, &timings).coverage
    let check = Check(
      database: store.database, definitions: [definition], severities: settings.severity, coverage: coverage)
    var rows: [Int64: [CheckTrial.Row]] = [:]
    try check.rows(of: definition) { found, explanation, isClaimed in
      rows[try found.integer("moment") ?? 0, default: []].append(
        try CheckTrial.Row(found, definition, trial.severity, try explanation.render(found), isClaimed: isClaimed))
    }
    trial.add(opening: rows[0] ?? [], closing: rows[1] ?? [])
    return trial
  }

  /// The check in a file, with the limits of a team's own; or the configured one of that type.
  private func definition(of name: String) throws -> CheckDefinition {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), !isFolder.boolValue {
      return try CheckDefinition(try SQLStatement(file: name))
    }
    let known = try CheckDefinition.all([resources.sql + "/checks"] + settings.checks)
    guard let found = known.first(where: { $0.type == name }) else { throw UnknownCheck(name: name) }
    return found
  }
}

/// A check that is neither a file nor a configured type.
package struct UnknownCheck: Error, CustomStringConvertible {
  let name: String
  package var description: String {
    "\(name): there is no such file, and no check of that type; expected a file such as checks/large_refund.sql, or a "
      + "type of docs/discrepancies.md"
  }
}

extension CheckTrial {
  fileprivate init(_ definition: CheckDefinition, severity: Severity?) {
    self.init(
      type: definition.type, file: definition.statement.file, severity: (severity ?? definition.severity).rawValue,
      restsOn: definition.restsOn, alsoReads: definition.alsoReads)
  }

  fileprivate mutating func add(opening: [Row], closing: [Row]) {
    let before = Set(opening.filter(\.isClaimed).map(\.subject))
    rows = closing.map { row in
      var row = row
      row.state = before.contains(row.subject) ? "persisting" : "new"
      return row
    }.sorted { ($0.since, $0.subject) < ($1.since, $1.subject) }
    resolved = before.subtracting(rows.map(\.subject)).count
  }

  /// The same as text for people.
  package var lines: [String] {
    let rests = restsOn.isEmpty ? "nothing" : restsOn.joined(separator: " ")
    let head = "check \(type), severity \(severity), rests on \(rests): a run accepts it"
    guard let range else { return [head] }
    let claimed = rows.filter(\.isClaimed)
    var lines = [head, "\(claimed.count == 1 ? "1 row" : "\(claimed.count) rows") at the end of \(range)"]
    lines += claimed.flatMap(\.lines)
    if resolved > 0 { lines.append("no longer so at the end of the range: \(resolved)") }
    let withheld = rows.filter { !$0.isClaimed }
    if !withheld.isEmpty {
      lines.append("withheld, because what it rests on is not complete so far: \(withheld.count)")
      lines += withheld.flatMap(\.lines)
    }
    return lines
  }
}

extension CheckTrial.Row {
  fileprivate init(
    _ found: CheckResult, _ definition: CheckDefinition, _ severity: String, _ sentence: String, isClaimed: Bool
  ) throws {
    let subject = found.text("subject") ?? ""
    let code = found.text("currency") ?? ""
    let (expected, actual) = (try found.integer("expected_minor"), try found.integer("actual_minor"))
    let difference = expected.flatMap { expected in
      actual.map { $0.subtractingReportingOverflow(expected) }.flatMap { $0.overflow ? nil : $0.partialValue }
    }
    func text(_ name: String) -> String { found.text(name) ?? "" }
    func amount(_ minor: Int64?) throws -> String? {
      guard let minor, !code.isEmpty else { return nil }
      return Money(amountMinor: minor, currency: try Currency(code: code)).decimalText
    }
    self.init(
      discrepancyID: Discrepancies.id(type: definition.type, subject: subject), subject: subject, state: "new",
      severity: severity, provider: text("provider"), account: text("account"), orderID: text("order_id"),
      paymentID: text("payment_id"), recordID: text("record_id"), currency: code, expected: try amount(expected),
      actual: try amount(actual), difference: try amount(difference),
      since: Instant.text(try found.integer("since") ?? 0),
      explanation: sentence, suggestedAction: definition.suggestedAction, isClaimed: isClaimed)
  }

  fileprivate var lines: [String] {
    let ids = [provider, orderID, paymentID, recordID].filter { !$0.isEmpty }.joined(separator: " ")
    let money = difference.map { ", \($0) \(currency)" } ?? ""
    return ["  \(discrepancyID)  \(state), \(ids)\(money), since \(since)", "    \(explanation)"]
  }
}
