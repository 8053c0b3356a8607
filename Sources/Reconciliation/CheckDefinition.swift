import OrderSources
import Settings
import Storage

/// One check: a statement whose head comment is its manual page (docs/extending.md section 1).
package struct CheckDefinition: Sendable {
  /// The discrepancy type: the file's name.
  package let type: String
  package let statement: SQLStatement
  /// The explanation with `{columns}` in braces.
  package let explanation: String
  package let suggestedAction: String
  package let severity: Severity
  /// The subjects of `known` whose missing records the check reports. It makes no claim past the instant up to which
  /// each of them is complete. Empty if all that it reports follows from records that were read.
  package let restsOn: [String]
  /// The word after "Rests on:" for the verdict on an order's group. A check with it says nothing of a group whose
  /// match cannot be known.
  static let matches = "matches"
  /// The subjects that it reads besides: where one is not complete, a row may be missing, but no row is wrong.
  package let alsoReads: [String]
  package let runsAfterProofs: Bool
  /// The whole manual page.
  package let manual: [String]
  /// The limits of its statement.
  package var limits = ReadLimits.team
  /// Whether it is a team's own: what it yields is held against the limits of records.
  package private(set) var isOfTeam = true

  /// - Throws: `SQLStatementError.manual` naming what the head comment lacks.
  package init(_ statement: SQLStatement) throws {
    self.statement = statement
    type = statement.name
    manual = statement.manual
    let paragraphs = manual.split(separator: "", omittingEmptySubsequences: true)
    explanation = paragraphs.first?.joined(separator: " ") ?? ""
    let labels = CheckDefinition.labels(manual)
    guard !explanation.isEmpty else {
      throw SQLStatementError.manual(file: statement.file, "does not begin with the explanation in one sentence")
    }
    guard let action = labels["Suggested action"], !action.isEmpty else {
      throw SQLStatementError.manual(file: statement.file, "has no line \"-- Suggested action: …\"")
    }
    guard let severity = labels["Severity"].flatMap(Severity.init(rawValue:)), severity != .ignore else {
      throw SQLStatementError.manual(file: statement.file, "has no line \"-- Severity: critical|high|medium|low\"")
    }
    suggestedAction = action
    self.severity = severity
    restsOn = try CheckDefinition.subjects(labels, "Rests on", file: statement.file)
    alsoReads = try CheckDefinition.subjects(labels, "Also reads", file: statement.file)
    runsAfterProofs = labels["Runs after"] == "proofs"
  }

  /// The subjects under a label; none where the label is missing or its text is `nothing`.
  ///
  /// - Throws: `SQLStatementError.manual` naming a word that is not a subject: it would withhold nothing.
  private static func subjects(_ labels: [String: String], _ label: String, file: String) throws -> [String] {
    let words = (labels[label] ?? "").split(separator: " ").map(String.init)
    if words == ["nothing"] { return [] }
    let subjects = SourceCoverage.subjects + OrderStream.allCases.map(\.rawValue) + [matches]
    guard let unknown = words.first(where: { !subjects.contains($0) }) else { return words }
    throw SQLStatementError.manual(
      file: file,
      "names \"\(unknown)\" after \"\(label):\"; expected \"nothing\", or some of \(subjects.joined(separator: ", "))")
  }

  /// Labelled paragraphs: `Label: text`, continued on the lines below until the next label or an empty line.
  private static func labels(_ manual: [String]) -> [String: String] {
    let known = [
      "Why it matters", "What clears it", "Suggested action", "Severity", "Rests on", "Also reads", "Runs after",
    ]
    var labels: [String: String] = [:]
    var current: String?
    for line in manual {
      if let label = known.first(where: { line.hasPrefix("\($0):") }) {
        labels[label] = String(line.dropFirst(label.count + 1).trimmingPrefix(" "))
        current = label
      } else if line.isEmpty {
        current = nil
      } else if let current {
        labels[current, default: ""] += " " + line
      }
    }
    return labels
  }

  /// All checks: ours, then those of the teams' own folders, whose statements are limited; names of checks are unique.
  package static func all(_ folders: [String]) throws -> [CheckDefinition] {
    var seen: [String: String] = [:]
    let ours = try folders.first.map { Set(try SQLStatement.folder($0).map(\.file)) } ?? []
    return try folders.flatMap { try SQLStatement.folder($0) }.map { statement in
      if let other = seen[statement.name] {
        throw SQLStatementError.twin(file: statement.file, other: other)
      }
      seen[statement.name] = statement.file
      var check = try CheckDefinition(statement)
      if ours.contains(statement.file) { (check.limits, check.isOfTeam) = (.ours, false) }
      return check
    }
  }
}

extension Severity {
  /// 0 for `ignore` to 4 for `critical`.
  package var rank: Int { [Severity.ignore, .low, .medium, .high, .critical].firstIndex(of: self) ?? 0 }
}
