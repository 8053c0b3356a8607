/// A formula of a column: text with `{column}` for the cell in the same row, and `{report.column}` for a whole column
/// of another table.
package struct CellFormula: Sendable, Equatable {
  /// A part of the formula.
  enum Part: Sendable, Equatable {
    case text(String)
    /// The cell in the same row, in a column of the same report.
    case cell(String)
    /// The cells of a column of a report.
    case range(report: String, column: String)
  }
  let parts: [Part]

  /// - Throws: a sentence about the mistake in the braces.
  init(_ text: String) throws(FormulaMistake) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else { throw FormulaMistake("a { without its }") }
      let names = rest[rest.index(after: open)..<close].split(separator: ".", omittingEmptySubsequences: false).map(
        String.init)
      switch names.count {
      case 1 where !names[0].isEmpty: parts.append(.cell(names[0]))
      case 2 where !names[0].isEmpty && !names[1].isEmpty: parts.append(.range(report: names[0], column: names[1]))
      default: throw FormulaMistake("{\(names.joined(separator: "."))} names neither a column nor a column of a report")
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// The reports whose columns it reads.
  var reports: Set<String> {
    Set(parts.compactMap { if case .range(let report, _) = $0 { report } else { nil } })
  }

  /// The formula for one row.
  ///
  /// - Parameters:
  ///   - cell: the address of a column's cell in this row.
  ///   - range: the address of a report's column.
  func text(cell: (String) -> String, range: (String, String) -> String) -> String {
    var text = "="
    for part in parts {
      switch part {
      case .text(let piece): text += piece
      case .cell(let column): text += cell(column)
      case .range(let report, let column): text += range(report, column)
      }
    }
    return text
  }
}

/// A mistake in a formula.
struct FormulaMistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Cell addresses in a spreadsheet's notation.
package enum CellAddress {
  /// The letters of a column counted from 0: `A`, `Z`, `AA`.
  package static func letters(_ column: Int) -> String {
    var letters = ""
    var rest = column
    repeat {
      letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
      rest = rest / 26 - 1
    } while rest >= 0
    return letters
  }

  /// A sheet's name in front of an address.
  static func sheet(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { (65...90).contains($0) || (97...122).contains($0) }
    return isPlain ? "\(name)!" : "'\(name.replacing("'", with: "''"))'!"
  }

  /// A string literal inside a formula.
  static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
}
