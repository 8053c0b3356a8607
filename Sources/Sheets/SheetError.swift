/// Why a workbook cannot be read: what was found, what was expected, what to do.
package struct SheetError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
