import CLibPQ

/// Errors of PostgreSQL: the SQLSTATE and the primary message, never the detail, which quotes rows.
enum PostgreSQLFailure {
  /// The error of a result.
  ///
  /// - Parameter prefix: the number of characters before the statement.
  static func of(_ result: OpaquePointer, _ sql: String, skipping prefix: Int) -> StorageError {
    let code = field(result, "C") ?? "unknown"
    return .statementFailed(
      engine: .postgresql, code: code, message: withoutValues(field(result, "M") ?? "no message", code: code),
      statement: StatementExcerpt(sql).text,
      line: field(result, "P").flatMap { Int($0) }.map { line(of: $0 - prefix, in: sql) })
  }

  /// The error of a connection that broke.
  static func lost(_ connection: OpaquePointer, _ sql: String) -> StorageError {
    .statementFailed(
      engine: .postgresql, code: "08006", message: oneLine(PQerrorMessage(connection)),
      statement: StatementExcerpt(sql).text,
      line: nil)
  }

  /// A message of libpq, trimmed to its first line.
  static func oneLine(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "no message" }
    return String(cString: message).split(whereSeparator: \.isNewline).first.map(String.init) ?? "no message"
  }

  /// The errors of class 22 (invalid values) quote the value: quoted text is removed.
  static func withoutValues(_ message: String, code: String) -> String {
    guard code.hasPrefix("22") else { return message }
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().map { $0.offset % 2 == 0 ? String($0.element) : "…" }.joined(separator: "\"")
  }

  private static func field(_ result: OpaquePointer, _ code: Character) -> String? {
    PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
  }

  /// The line of a position that counts characters from 1.
  private static func line(of position: Int, in sql: String) -> Int {
    1 + sql.unicodeScalars.prefix(max(0, position - 1)).count { $0 == "\n" }
  }
}
