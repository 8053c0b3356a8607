import Reports
import Storage

/// The definitions that a run uses: checks, reports, and the glossary of their terms.
extension ReconciliationRun {
  /// Every check: ours and the teams'.
  func checks() throws -> [CheckDefinition] { try CheckDefinition.all([resources.sql + "/checks"] + settings.checks) }

  /// Every report, examined against the database before one of them is written.
  func catalogue(examinedIn database: any Database) throws -> ReportCatalogue {
    let catalogue = try ReportCatalogue(folders: [resources.reports] + settings.reports)
    try catalogue.examine(in: database, range: range)
    return catalogue
  }

  /// Each check in one sentence, for the sheet of definitions; column names are in brackets.
  func glossary() throws -> [GlossaryEntry] {
    try checks().map { check in
      GlossaryEntry(
        area: "discrepancy", word: check.type,
        meaning: check.explanation.replacing(/{([a-z_]+)}/) { "[\($0.1.replacing("_", with: " "))]" })
    }
  }
}
