import JSON
import Payments

/// A refused value together with its place in the record: a JSON path or a column name.
struct CellError: Error, CustomStringConvertible {
  let cell: String
  let reason: String

  var description: String { "\(cell): \(reason)" }

  /// Runs the body; a refusal is rethrown with the cell's name.
  ///
  /// - Throws: `CellError` for an amount or instant that is invalid or outside `Limits`; JSON errors carry their path
  ///   already.
  static func naming<R>(_ cell: @autoclosure () -> String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error where error is MoneyError || error is InstantError {
      throw CellError(cell: cell(), reason: "\(error)")
    }
  }
}

/// Instants and amounts of an object, each within `Limits`.
extension JSONValue {
  /// An instant in Unix seconds.
  ///
  /// - Throws: `JSONError` or `CellError`, with the path.
  func instant() throws -> Int64 {
    let seconds = try int64()
    return try CellError.naming(path) { try Limits.instant(seconds) }
  }

  /// An instant in Unix seconds; nil when it is null or absent.
  func optionalInstant() throws -> Int64? { isAbsent ? nil : try instant() }

  /// An instant written as text.
  func writtenInstant(_ parse: (String) throws -> Int64 = { try Instant.parse($0) }) throws -> Int64 {
    let text = try string()
    return try CellError.naming(path) { try parse(text) }
  }

  /// A whole number of minor units.
  func minor() throws -> Int64 {
    let amount = try int64()
    return try CellError.naming(path) { try Limits.amount(amount) }
  }

  /// A whole number of minor units; nil when it is null or absent.
  func optionalMinor() throws -> Int64? { isAbsent ? nil : try minor() }
}
