/// An order source that is refused as a whole: nothing of it is landed, and the run ends with exit status 65.
package struct OrderSourceError: Error, Equatable, CustomStringConvertible {
  /// The exit status of a run that cannot use one of its order sources (docs/contract.md section 1.1).
  package static let exitStatus: Int32 = 65
  /// The configured name.
  package let source: String
  /// The file or query.
  package let location: String
  /// What was found, and what was expected.
  package let reason: String

  package var description: String { "order source \(source): \(location): \(reason)" }
}
