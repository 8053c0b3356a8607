import Settings

/// One check: a statement whose head comment is its manual page (README, How to add a check).
package struct CheckDefinition: Sendable {
  /// The discrepancy type: the file's name.
  package let type: String
  package let statement: Statement
  /// The explanation with `{columns}` in braces.
  package let explanation: String
  package let suggestedAction: String
  package let severity: Severity
  /// Words of `known.subject`: where one of them was not read in full, the check does not speak past what is known.
  package let restsOn: [String]
  package let runsAfterProofs: Bool
  /// The whole manual page.
  package let manual: [String]

  /// - Throws: `StatementError.manual` naming what the head comment lacks.
  package init(_ statement: Statement) throws {
    self.statement = statement
    type = statement.name
    manual = statement.manual
    let paragraphs = manual.split(separator: "", omittingEmptySubsequences: true)
    explanation = paragraphs.first?.joined(separator: " ") ?? ""
    let labels = CheckDefinition.labels(manual)
    guard !explanation.isEmpty else {
      throw StatementError.manual(file: statement.file, "does not begin with the finding in one sentence")
    }
    guard let action = labels["Suggested action"], !action.isEmpty else {
      throw StatementError.manual(file: statement.file, "has no line \"-- Suggested action: …\"")
    }
    guard let severity = labels["Severity"].flatMap(Severity.init(rawValue:)), severity != .ignore else {
      throw StatementError.manual(file: statement.file, "has no line \"-- Severity: critical|high|medium|low\"")
    }
    suggestedAction = action
    self.severity = severity
    restsOn = (labels["Rests on"] ?? "").split(separator: " ").map(String.init)
    runsAfterProofs = labels["Runs after"] == "proofs"
  }

  /// Labelled paragraphs: `Label: text`, continued on the lines below until the next label or an empty line.
  private static func labels(_ manual: [String]) -> [String: String] {
    let known = ["Why it matters", "What clears it", "Suggested action", "Severity", "Rests on", "Runs after"]
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

  /// All checks: ours, then the teams' own folders; one name stands for one check.
  package static func all(_ folders: [String]) throws -> [CheckDefinition] {
    var seen: [String: String] = [:]
    return try folders.flatMap { try Statement.folder($0) }.map { statement in
      if let other = seen[statement.name] {
        throw StatementError.twin(file: statement.file, other: other)
      }
      seen[statement.name] = statement.file
      return try CheckDefinition(statement)
    }
  }
}

extension Severity {
  /// 0 for `ignore` to 4 for `critical`.
  package var rank: Int { [Severity.ignore, .low, .medium, .high, .critical].firstIndex(of: self) ?? 0 }
}
