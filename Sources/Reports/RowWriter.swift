import Payments
import Storage

/// Receives the cells of a report's rows on a sheet; `index` is the column's index in the report.
protocol TableCells: AnyObject {
  func text(_ bytes: UnsafeRawBufferPointer, at index: Int)
  func date(_ bytes: UnsafeRawBufferPointer, at index: Int)
  func instant(_ seconds: Int64, at index: Int)
  func integer(_ value: Int64, at index: Int)
  func share(_ millionths: Int64, at index: Int)
  func amount(_ minor: Int64, digits: Int, currency: @autoclosure () -> String, at index: Int)
  func blank(at index: Int)
}

/// Writes the cells of a report's rows, in their formats, to a CSV file and a sheet.
struct RowWriter<Sheet: TableCells> {
  private let report: ReportDefinition
  private let cells: [BoundColumn]
  private var digits = DigitsByCurrency()
  /// The last currency column that was read, and the currency's digits.
  private var currency: (column: Int, digits: Int)?
  /// The number of rows begun.
  private(set) var count = 0

  /// - Parameter names: the columns that the query yields.
  /// - Throws: `ReportError.badDefinition` where one is missing.
  init(report: ReportDefinition, names: [String]) throws(ReportError) {
    self.report = report
    var cells: [BoundColumn] = []
    for (place, column) in report.columns.enumerated() {
      let index = try Self.find(column.source, in: names, for: column, of: report)
      let currency = try column.currencySource.map { source throws(ReportError) in
        try Self.find(source, in: names, for: column, of: report)
      }
      cells.append(
        BoundColumn(
          place: place, format: column.format, index: index, currency: currency ?? index,
          isInFile: column.destination.includesCSV))
    }
    self.cells = cells
  }

  /// - Throws: `ReportError.badCell`.
  mutating func write(_ row: any Row, csv: CSVWriter?, sheet: Sheet?) throws {
    count += 1
    currency = nil
    for cell in cells { try write(cell, of: row, cell.isInFile ? csv : nil, sheet) }
  }

  private static func find(_ source: String, in names: [String], for column: ReportColumn, of report: ReportDefinition)
    throws(ReportError) -> Int
  {
    if let index = names.firstIndex(of: source) { return index }
    throw .badDefinition(
      path: report.layoutPath, line: column.line, reason: "\(column.name): the query yields no column \(source)")
  }

  private mutating func write(_ cell: BoundColumn, of row: any Row, _ csv: CSVWriter?, _ sheet: Sheet?) throws {
    switch cell.format {
    case .text, .word, .prose, .title:
      let written: Void? = row.withUTF8Text(cell.index) { bytes in
        csv?.text(bytes)
        sheet?.text(bytes, at: cell.place)
      }
      if written == nil { blank(cell, csv, sheet) }
    case .date:
      let written: Void? = row.withUTF8Text(cell.index) { bytes in
        csv?.text(bytes)
        sheet?.date(bytes, at: cell.place)
      }
      if written == nil { blank(cell, csv, sheet) }
    case .integer:
      guard let value = try integer(cell, of: row) else { return blank(cell, csv, sheet) }
      csv?.integer(value)
      sheet?.integer(value, at: cell.place)
    case .share:
      guard let value = try integer(cell, of: row) else { return blank(cell, csv, sheet) }
      csv?.share(value)
      sheet?.share(value, at: cell.place)
    case .instant:
      guard let value = try integer(cell, of: row) else { return blank(cell, csv, sheet) }
      csv?.instant(value)
      sheet?.instant(value, at: cell.place)
    case .amount:
      guard let value = try integer(cell, of: row) else { return blank(cell, csv, sheet) }
      guard let count = digits(of: cell, row) else { throw noCurrency(cell, of: row) }
      csv?.amount(value, digits: count)
      sheet?.amount(value, digits: count, currency: row.text(cell.currency) ?? "", at: cell.place)
    }
  }

  private mutating func digits(of cell: BoundColumn, _ row: any Row) -> Int? {
    if let currency, currency.column == cell.currency { return currency.digits }
    let found = row.withUTF8Text(cell.currency) { digits.find($0) } ?? nil
    currency = found.map { (cell.currency, $0) }
    return found
  }

  private func blank(_ cell: BoundColumn, _ csv: CSVWriter?, _ sheet: Sheet?) {
    csv?.blank()
    sheet?.blank(at: cell.place)
  }

  private func integer(_ cell: BoundColumn, of row: any Row) throws -> Int64? {
    do { return try row.integer(cell.index) } catch {
      throw ReportError.badCell(
        path: report.queryPath, row: count, column: report.columns[cell.place].source,
        reason: "expected an integer; is a cast missing?")
    }
  }

  private func noCurrency(_ cell: BoundColumn, of row: any Row) -> ReportError {
    let found = row.text(cell.currency) ?? ""
    return .badCell(
      path: report.queryPath, row: count, column: report.columns[cell.place].source,
      reason: "the amount has no currency of ISO 4217 in \(row.names[cell.currency]): \"\(found.prefix(10))\"")
  }
}

/// A column of a report and its index in the row.
private struct BoundColumn {
  let place: Int
  let format: CellFormat
  let index: Int
  let currency: Int
  let isInFile: Bool
}

/// Looks up the digits of currencies by the three bytes of their code, without a string.
private struct DigitsByCurrency {
  private static let all: [UInt32: Int] = {
    let pairs = Currency.all.map { (key(Array($0.code.utf8)), $0.digits) }
    return Dictionary(pairs) { first, _ in first }
  }()
  private var last: (key: UInt32, digits: Int) = (0, 0)

  mutating func find(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count == 3 else { return nil }
    let key = Self.key(bytes)
    if key == last.key { return last.digits }
    guard let digits = Self.all[key] else { return nil }
    last = (key, digits)
    return digits
  }

  private static func key(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1 & 0xDF) } }
}
