import CLibPQ
import Foundation

/// A result of libpq, cleared when it is released.
final class PostgreSQLResult {
  /// The type of a 64-bit integer.
  static let bigint = Oid(20)
  fileprivate let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit { PQclear(handle) }

  var rows: Int { Int(PQntuples(handle)) }
  /// Rows that a command changed; 0 where the server states none.
  var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }
  /// The command as it was executed, e.g. `ROLLBACK`.
  var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }
}

/// One row of a result.
final class PostgreSQLRow: Row {
  private let result: PostgreSQLResult
  let names: [String]
  /// The index of the current row, from 0.
  var ordinal: Int32 = 0
  private static let integerTypes: Set<Oid> = [20, 21, 23]

  init(_ result: PostgreSQLResult, names: [String]?) {
    self.result = result
    self.names = names ?? (0..<PQnfields(result.handle)).map { String(cString: PQfname(result.handle, $0)) }
  }

  func isNull(_ column: Int) -> Bool {
    PQgetisnull(result.handle, ordinal, Int32(column)) == 1
  }

  func integer(_ column: Int) throws -> Int64? {
    if isNull(column) { return nil }
    let isInteger = Self.integerTypes.contains(PQftype(result.handle, Int32(column)))
    let value = PQgetvalue(result.handle, ordinal, Int32(column)).map { strtoll($0, nil, 10) }
    guard isInteger, let value else { throw StorageError.notAnInteger(column: names[column], found: "another type") }
    return Int64(value)
  }

  func text(_ column: Int) -> String? {
    withUTF8Text(column) { String(decoding: $0, as: UTF8.self) }
  }

  func utf8(_ column: Int) -> UnsafeRawBufferPointer? {
    if isNull(column) { return nil }
    let length = Int(PQgetlength(result.handle, ordinal, Int32(column)))
    return UnsafeRawBufferPointer(start: PQgetvalue(result.handle, ordinal, Int32(column)), count: length)
  }
}
