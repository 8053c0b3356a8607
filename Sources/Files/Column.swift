/// A column that is read by name: order, spacing and case of a provider's columns depend on how each account is set up.
package struct Column: Sendable, Hashable {
  /// Our name of it, e.g. `gross_debit_gc`; it matches `Gross Debit (GC)`.
  package var key: String
  /// Other names under which it may be delivered.
  package var otherNames: [String]
  /// Whether a file without it is refused.
  package var isRequired: Bool

  /// A column without which a file is refused.
  package static func required(_ key: String, or otherNames: String...) -> Column {
    Column(key: key, otherNames: otherNames, isRequired: true)
  }

  /// A column that a file may lack: its cells are then all empty.
  package static func optional(_ key: String, or otherNames: String...) -> Column {
    Column(key: key, otherNames: otherNames, isRequired: false)
  }

  /// A column's name for comparison: lowercase, without white space, underscores and parentheses.
  package static func normalised(_ name: String) -> String {
    name.lowercased().filter { !$0.isWhitespace && !"_()\u{feff}\0".contains($0) }
  }

  /// The normalised names that mean this column.
  var names: Set<String> { Set(([key] + otherNames).map(Self.normalised)) }
}

/// The positions of our columns in a file.
struct ColumnMap {
  /// The positions of each of our columns, in the order of the header: a name that occurs twice has two.
  let places: [[Int]]
  /// Delivered columns that are not read, with their delivered names.
  let unknown: [String]
  /// How many columns the header has.
  let count: Int

  /// - Throws: `MissingColumns`, naming all of them at once.
  init(header: [String], _ columns: [Column]) throws(MissingColumns) {
    let names = header.map(Column.normalised)
    places = columns.map { column in
      let wanted = column.names
      return names.indices.filter { wanted.contains(names[$0]) }
    }
    let missing = zip(columns, places).filter { $0.isRequired && $1.isEmpty }.map(\.0.key)
    if !missing.isEmpty { throw MissingColumns(missing: missing, found: places.allSatisfy(\.isEmpty) ? [] : header) }
    let known = Set(places.joined())
    unknown = header.indices.filter { !known.contains($0) && !names[$0].isEmpty }.map { header[$0] }
    count = header.count
  }
}

/// A header without required columns.
struct MissingColumns: Error, CustomStringConvertible {
  var missing: [String]
  /// The columns in the header; empty where it has none of ours: it is then not a header, and may contain personal
  /// data.
  var found: [String]

  var description: String {
    let isOne = missing.count == 1
    return "the column\(isOne ? "" : "s") \(missing.joined(separator: ", ")) \(isOne ? "is" : "are") missing; "
      + (found.isEmpty
        ? "the first row names no column that is read"
        : "the header row has \(found.joined(separator: ", ").prefix(200))")
  }
}
