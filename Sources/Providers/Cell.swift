import JSON
import Payments

/// A value that is refused, with its place in the record: a JSON path or a column.
struct CellError: Error, CustomStringConvertible {
  let cell: String
  let reason: String

  var description: String { "\(cell): \(reason)" }

  /// What the body reads, its refusal with the cell's name.
  ///
  /// - Throws: `CellError` for what is no amount or moment within `Limits`; JSON errors have their path already.
  static func naming<R>(_ cell: @autoclosure () -> String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error where error is MoneyError || error is InstantError {
      throw CellError(cell: cell(), reason: "\(error)")
    }
  }
}

/// Moments and amounts of an object, each within `Limits`.
extension JSONValue {
  /// A moment in Unix seconds.
  ///
  /// - Throws: `JSONError` or `CellError`, with the path.
  func instant() throws -> Int64 {
    let seconds = try int64()
    return try CellError.naming(path) { try Limits.instant(seconds) }
  }

  /// A moment in Unix seconds; nil when it is null or not there.
  func optionalInstant() throws -> Int64? { isAbsent ? nil : try instant() }

  /// A moment written as a text.
  func writtenInstant(_ parse: (String) throws -> Int64 = { try Instant.parse($0) }) throws -> Int64 {
    let text = try string()
    return try CellError.naming(path) { try parse(text) }
  }

  /// A whole number of minor units.
  func minor() throws -> Int64 {
    let amount = try int64()
    return try CellError.naming(path) { try Limits.amount(amount) }
  }

  /// A whole number of minor units; nil when it is null or not there.
  func optionalMinor() throws -> Int64? { isAbsent ? nil : try minor() }
}
