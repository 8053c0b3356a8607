import Payments
import Storage

/// A table of a seal in addition to the reports: written as a CSV file like theirs, and read back exactly.
package struct SealedTable {
  /// What a column holds.
  package enum Cell: Sendable { case text, amount, instant, integer }
  package struct Column: Sendable {
    package let name: String
    package let cell: Cell

    package init(_ name: String, _ cell: Cell = .text) { (self.name, self.cell) = (name, cell) }
  }

  package let name: String
  package let columns: [Column]
  /// The index of the column with the currency.
  package let currency: Int

  package init(_ name: String, _ columns: [Column], currency: Int) {
    (self.name, self.columns, self.currency) = (name, columns, currency)
  }

  /// Writes the rows of a query, whose first columns are those of the table.
  ///
  /// - Throws: `ReportError`, the database's error, `MoneyError` for a currency that ISO 4217 does not list.
  package func write(
    _ sql: String, _ values: [SQLValue], from database: any Database, into folder: String,
    _ body: (any Row) throws -> Void = { _ in }
  ) throws -> WrittenFile {
    let csv = try CSVWriter(folder: folder, name: name, columns: columns.map(\.name))
    var digits: [String: Int] = [:]
    try database.query(sql, values) { row in
      for (place, column) in columns.enumerated() {
        switch column.cell {
        case .text:
          var text = row.text(place) ?? ""
          text.withUTF8 { csv.text(UnsafeRawBufferPointer($0)) }
        case .instant: csv.instant(try row.integer(place) ?? 0)
        case .integer: csv.integer(try row.integer(place) ?? 0)
        case .amount:
          let code = row.text(currency) ?? ""
          let known = try digits[code] ?? Currency(code: code).digits
          digits[code] = known
          csv.amount(try row.integer(place) ?? 0, digits: known)
        }
      }
      try csv.endRow()
      try body(row)
    }
    return try csv.finish()
  }

  /// The text of a cell without the mark that keeps a spreadsheet from running it.
  package static func original(_ cell: String) -> String {
    guard cell.utf8.first == UInt8(ascii: "'") else { return cell }
    var rest = String(cell.dropFirst())
    return rest.withUTF8 { TextMarks.isRun(UnsafeRawBufferPointer($0)) } ? rest : cell
  }
}
