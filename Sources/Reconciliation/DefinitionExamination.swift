import Reports
import Storage

/// Finds definitions that a run would refuse: examines checks, reports and layouts as the run does, without writing
/// anything.
extension ReconciliationRun {
  /// - Returns: one sentence for each mistake; none when a run could use them all.
  package func examineDefinitions() -> [String] {
    do {
      // An SQLite store may not exist yet, so one is made for the examination; PostgreSQL has its own dialect.
      let isOwn =
        (try? StoreURL(settings.store.url.revealed)).map { if case .sqlite = $0 { true } else { false } } ?? true
      let store = try Store(settings: settings, resources: resources, isReplay: isOwn)
      defer { store.close() }
      return examineChecks(store.database) + examineReports(store.database)
    } catch { return ["\(error)"] }
  }

  /// The types of discrepancies that the checks can raise, in the order of their names.
  ///
  /// - Throws: `SQLStatementError`.
  package func checkTypes() throws -> [String] {
    try CheckDefinition.all([resources.sql + "/checks"] + settings.checks).map(\.type).sorted()
  }

  private func examineChecks(_ database: any Database) -> [String] {
    do {
      return try CheckDefinition.all([resources.sql + "/checks"] + settings.checks).compactMap { check in
        do { try check.examine(in: database) } catch { return "\(error)" }
        return nil
      }
    } catch { return ["\(error)"] }
  }

  private func examineReports(_ database: any Database) -> [String] {
    do {
      try ReportCatalogue(folders: [resources.reports] + settings.reports).examine(in: database, range: range)
      return []
    } catch { return ["\(error)"] }
  }
}

extension CheckDefinition {
  /// Selects the required columns from the statement with `limit 0`: the database checks the names and reads nothing.
  ///
  /// - Throws: `SQLStatementError`.
  func examine(in database: any Database) throws {
    do { try database.examine(statement.text) } catch StorageError.notReadOnly(let found, let line) {
      throw SQLStatementError.refused(
        file: statement.file, line: line ?? statement.firstLine,
        reason: "\(StorageError.notReadOnly(found: found, line: nil))")
    }
    do { try probe("1 as probe", in: database) } catch let error as StorageError where error.isInputOutput {
      throw error
    } catch {
      throw SQLStatementError.failed(file: statement.file, reason: "\(error)")
    }
    let missing = Check.required.filter { !yields($0, in: database) }
    guard missing.isEmpty else {
      throw SQLStatementError.column(file: statement.file, "lacks the column \(missing.joined(separator: ", "))")
    }
    let unknown = Explanation(explanation).names.filter { name in
      name != "difference" && !["", "_minor", "_at"].contains { yields(name + $0, in: database) }
    }
    guard unknown.isEmpty else {
      throw SQLStatementError.column(
        file: statement.file, "lacks what its sentence names in braces: \(unknown.joined(separator: ", "))")
    }
  }

  private func yields(_ column: String, in database: any Database) -> Bool {
    (try? probe("probed.\(column)", in: database)) != nil
  }

  private func probe(_ columns: String, in database: any Database) throws {
    try database.query("select \(columns) from (\(statement.text)\n) as probed limit 0") { _ in }
  }
}
