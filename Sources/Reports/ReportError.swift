import Storage

/// Why reports could not be written.
package enum ReportError: Error, CustomStringConvertible {
  /// A definition has a mistake: file, line (0: the whole file) and what to do.
  case badDefinition(path: String, line: Int, reason: String)
  /// A query failed in the database.
  case queryFailed(path: String, line: Int, reason: String)
  /// A query yielded a row that cannot be shown.
  case badCell(path: String, row: Int, column: String, reason: String)
  /// The disk, or a quota on it, is full.
  case diskFull(path: String)
  /// A file or folder could not be written, for another reason.
  case cannotWrite(path: String, reason: String)
  /// The workbook's library refused something.
  case workbook(place: String, reason: String)

  package var description: String {
    switch self {
    case .badDefinition(let path, let line, let reason): "\(path)\(line > 0 ? ":\(line)" : ""): \(reason)"
    case .queryFailed(let path, let line, let reason):
      "\(path)\(line > 0 ? ":\(line)" : ""): the database refused the query: \(reason)"
    case .badCell(let path, let row, let column, let reason):
      "\(path): row \(row) of the query, column \(column): \(reason)"
    case .diskFull(let path):
      "\(path): no space left on the disk; what was published or closed before is untouched. Free some space and run "
        + "the same command again"
    case .cannotWrite(let path, let reason): "\(path): cannot be written: \(reason)"
    case .workbook(let place, let reason): "the workbook, \(place): \(reason)"
    }
  }

  /// Whether the disk rather than a definition is the cause: exit 74.
  package var isInputOutput: Bool {
    switch self {
    case .diskFull, .cannotWrite, .workbook: true
    case .badDefinition, .queryFailed, .badCell: false
    }
  }
}

extension ReportError {
  /// The database's error about a query. Its line is that of the file, since a query is run with its line breaks.
  ///
  /// - Parameter sql: the query, searched for names in errors without a line: SQLite reports unknown tables so.
  static func refused(_ path: String, _ error: any Error, in sql: String = "") -> ReportError {
    if let error = error as? StorageError, error.isInputOutput {
      return .cannotWrite(path: "the store", reason: "\(error)")
    }
    if case .notReadOnly(let found, let line) = error as? StorageError {
      return .badDefinition(path: path, line: line ?? 1, reason: "\(StorageError.notReadOnly(found: found, line: nil))")
    }
    if case .limitExceeded = error as? StorageError { return .badDefinition(path: path, line: 1, reason: "\(error)") }
    guard case .statementFailed(_, _, let message, _, let line) = error as? StorageError else {
      return .queryFailed(path: path, line: 0, reason: "\(error)")
    }
    return .queryFailed(path: path, line: line ?? self.line(named: message, in: sql), reason: message)
  }

  /// The first line that contains the last word of a message; 0 where none does.
  private static func line(named message: String, in sql: String) -> Int {
    guard let name = message.split(separator: " ").last else { return 0 }
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.firstIndex { $0.contains(name) } ?? -1) + 1
  }
}
