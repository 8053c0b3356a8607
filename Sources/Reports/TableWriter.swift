import Payments
import Storage

/// Runs one report's query and writes its CSV file and its sheet in one pass over the rows.
struct TableWriter {
  let report: ReportDefinition
  let csv: CSVWriter?
  let sheet: TableSheet?

  /// - Throws: `ReportError`, or what the database throws while it reads.
  func write(from database: any Database, range: ReportRange) throws {
    var cells: [BoundColumn] = []
    var digits = DigitsByCurrency()
    var count = 0
    do {
      try database.query(report.query.sql, report.query.values(range)) { row in
        if count == 0 { cells = try bind(row.names) }
        count += 1
        for cell in cells { try write(cell, of: row, number: count, digits: &digits) }
        try csv?.endRow()
        try sheet?.endRow()
      }
    } catch let error as StorageError {
      throw ReportError.refused(report.queryPath, error)
    }
  }

  private func bind(_ names: [String]) throws(ReportError) -> [BoundColumn] {
    var columns: [BoundColumn] = []
    for (place, column) in report.columns.enumerated() {
      let index = try find(column.source, in: names, for: column)
      let currency = try column.currencySource.map { source throws(ReportError) in try find(source, in: names, for: column) }
      columns.append(
        BoundColumn(
          place: place, format: column.format, index: index, currency: currency ?? index, isInFile: column.destination.includesCSV))
    }
    return columns
  }

  private func find(_ source: String, in names: [String], for column: ReportColumn) throws(ReportError) -> Int {
    if let index = names.firstIndex(of: source) { return index }
    throw .badDefinition(
      path: report.layoutPath, line: column.line, reason: "\(column.name): the query yields no column \(source)")
  }

  private func write(_ cell: BoundColumn, of row: any Row, number: Int, digits: inout DigitsByCurrency) throws {
    let csv = cell.isInFile ? csv : nil
    switch cell.format {
    case .text, .word:
      let written: Void? = row.withUTF8Text(cell.index) { bytes in
        csv?.text(bytes)
        sheet?.text(bytes, at: cell.place)
      }
      if written == nil { blank(cell, csv) }
    case .date:
      let written: Void? = row.withUTF8Text(cell.index) { bytes in
        csv?.text(bytes)
        sheet?.date(bytes, at: cell.place)
      }
      if written == nil { blank(cell, csv) }
    case .integer:
      guard let value = try integer(cell, of: row, number) else { return blank(cell, csv) }
      csv?.integer(value)
      sheet?.integer(value, at: cell.place)
    case .share:
      guard let value = try integer(cell, of: row, number) else { return blank(cell, csv) }
      csv?.share(value)
      sheet?.share(value, at: cell.place)
    case .instant:
      guard let value = try integer(cell, of: row, number) else { return blank(cell, csv) }
      csv?.instant(value)
      sheet?.instant(value, at: cell.place)
    case .amount:
      guard let value = try integer(cell, of: row, number) else { return blank(cell, csv) }
      let count = row.withUTF8Text(cell.currency) { digits.find($0) }
      guard let count = count ?? nil else { throw noCurrency(cell, of: row, number) }
      csv?.amount(value, digits: count)
      sheet?.amount(value, digits: count, currency: row.text(cell.currency) ?? "", at: cell.place)
    }
  }

  private func blank(_ cell: BoundColumn, _ csv: CSVWriter?) {
    csv?.blank()
    sheet?.blank(at: cell.place)
  }

  private func integer(_ cell: BoundColumn, of row: any Row, _ number: Int) throws -> Int64? {
    do { return try row.integer(cell.index) } catch {
      throw ReportError.badCell(
        path: report.queryPath, row: number, column: report.columns[cell.place].source,
        reason: "expected an integer; is a cast missing?")
    }
  }

  private func noCurrency(_ cell: BoundColumn, of row: any Row, _ number: Int) -> ReportError {
    let found = row.text(cell.currency) ?? ""
    return .badCell(
      path: report.queryPath, row: number, column: report.columns[cell.place].source,
      reason: "the amount has no currency of ISO 4217 in \(row.names[cell.currency]): \"\(found.prefix(10))\"")
  }
}

/// A column of a report and where the row holds it.
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
