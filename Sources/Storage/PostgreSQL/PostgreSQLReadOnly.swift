extension PostgreSQLDatabase {
  /// Runs in a read-only transaction, nested in an open one: until it ends nothing can be written except temporary
  /// tables.
  func query(_ sql: String, _ parameters: [SQLValue], within limits: ReadLimits, _ row: (any Row) throws -> Void) throws
  {
    try ReadOnlyText.check(sql)
    let meter = ReadMeter(limits)
    let milliseconds = min(limits.seconds * 1000, 2_000_000_000)
    do {
      try transaction {
        _ = try connection.run("set local transaction_read_only = on; set local statement_timeout = \(milliseconds)")
        try read(sql, parameters, isBounded: limits.limitsMemory) { found in
          try meter.countRow()
          try row(found)
        }
        _ = try connection.run("set local statement_timeout to default")
      }
    } catch let error as StorageError {
      throw Self.explained(error, sql, meter)
    }
  }

  private func read(_ sql: String, _ parameters: [SQLValue], isBounded: Bool, _ row: (any Row) throws -> Void) throws {
    guard isBounded else { return try counted(sql) { try read(sql, parameters, row) } }
    try read(
      ReadOnlyText.withoutEnd(sql), parameters, prefix: "select bounded.* from (",
      suffix: "\n) as bounded where \(Self.bound)",
      batch: Self.boundedBatch, row)
  }

  /// Limits each row to one mebibyte: a longer one ends the statement with a cast error.
  private static let bound = """
    case when octet_length(cast(bounded as text)) <= 1048576 then true
    else cast(octet_length(cast(bounded as text)) || ' bytes' as boolean) end
    """
  private static let boundedBatch = 100

  private static func explained(_ error: StorageError, _ sql: String, _ meter: ReadMeter) -> StorageError {
    guard case .statementFailed(_, let code, let message, _, let line) = error else { return error }
    let writing = ["insert", "update", "delete", "merge", "into"]
    switch code {
    case "57014": return meter.late
    case "25006", "0A000", "42501":
      return .notReadOnly(found: message, line: line ?? ReadOnlyText.line(ofAny: writing, in: sql))
    case "22P02" where message.contains("boolean") && meter.limits.limitsMemory:
      return .limitExceeded("more than 1 MiB in one row")
    default: return error
    }
  }
}
