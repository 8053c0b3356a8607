import Storage

/// Which tables are on which sheet, from which row on, and how formulas of other tables refer to them: determined
/// before the first cell is written.
struct SheetPlan {
  /// A table and its position.
  struct Table: Sendable {
    let report: ReportDefinition
    /// The row of its heading, counted from 0.
    let headingRow: Int
    /// The number of its rows, if another table is below it; nil: to the end of the sheet.
    let rows: Int?
    /// The sheet's column for each column of the report, from 0; nil for columns that only the file has.
    let places: [String: Int]
    /// In the order of the sheet.
    let columns: [ReportColumn]

    var firstRow: Int { headingRow + 1 }
    var lastRow: Int { rows.map { headingRow + max($0, 1) } ?? SheetPlan.rowsOfSheet - 1 }
  }
  /// A sheet and its tables from top to bottom.
  struct Sheet: Sendable {
    let name: String
    var tables: [Table]
  }

  static let rowsOfSheet = 1_048_576
  /// How many cells the formulas of a table may read in total: beyond it a spreadsheet would calculate for minutes, so
  /// values are written instead.
  static let mostCellsRead: Int64 = 400_000_000

  /// In the order of the workbook.
  private(set) var sheets: [Sheet] = []
  private var tables: [String: Table] = [:]
  /// The reports that formulas read instead of those with more rows than a sheet may have.
  private var standIns: [String: String] = [:]
  /// The number of rows that formulas find in a report that a report of sums could replace.
  private var rowsRead: [String: Int64] = [:]
  /// The number of rows of a report that a report of sums could replace.
  private var rowsOfTables: [String: Int64] = [:]
  private var valuesOnly: Set<String> = []
  /// The row counts of reports that were counted: counting a large one takes as long as reading it.
  private var counts: [String: Int64] = [:]

  init(_ catalogue: ReportCatalogue, database: any Database, range: ReportRange, maximumRows: Int) throws {
    try findStandIns(catalogue, database, range, maximumRows)
    var bySheet: [(name: String, reports: [ReportDefinition])] = []
    for report in catalogue.reports where report.destination.includesSheet && isWritten(report) {
      if let index = bySheet.firstIndex(where: { $0.name == report.sheet.name }) {
        bySheet[index].reports.append(report)
      } else {
        bySheet.append((report.sheet.name, [report]))
      }
    }
    for (name, reports) in bySheet {
      sheets.append(
        Sheet(name: name, tables: try place(reports.sorted { $0.sheet.block < $1.sheet.block }, database, range)))
    }
    for sheet in sheets { for table in sheet.tables { tables[table.report.name] = table } }
    try findHeavyTables(catalogue, database, range)
  }

  /// Whether the cells of a report's formula columns are written as formulas.
  func writesFormulas(of report: String) -> Bool { !valuesOnly.contains(report) }

  func table(_ report: String) -> Table? { tables[report] }

  /// Whether a report is known to have more rows than `count`.
  func hasMoreRows(_ report: String, than count: Int) -> Bool { rowsOfTables[report, default: 0] > Int64(count) }

  /// The address of a report's column: the whole of it, or that of the report that replaces it.
  func range(_ report: String, _ column: String) -> String {
    guard let table = tables[standIns[report] ?? report], let place = table.places[column] else { return "#REF!" }
    let letters = CellAddress.letters(place)
    return
      "\(CellAddress.sheet(table.report.sheet.name))$\(letters)$\(table.firstRow + 1):$\(letters)$\(table.lastRow + 1)"
  }

  private func isWritten(_ report: ReportDefinition) -> Bool {
    report.standsInFor.map { standIns[$0] == report.name } ?? true
  }

  private mutating func findStandIns(
    _ catalogue: ReportCatalogue, _ database: any Database, _ range: ReportRange, _ maximumRows: Int
  ) throws {
    for report in catalogue.reports {
      guard let other = report.standsInFor else { continue }
      var (rows, lines): (Int64, Int64) = (0, 0)
      try database.query(
        "select cast(coalesce(sum(stood_for.rows), 0) as bigint), count(*) from (\(report.query.sql)\n) as stood_for",
        report.query.values(range),
        within: report.limits
      ) { row in (rows, lines) = (try row.integer(0) ?? 0, try row.integer(1) ?? 0) }
      rowsOfTables[other] = rows
      counts[report.name] = lines
      let isStoodInFor = rows > Int64(maximumRows)
      if isStoodInFor { standIns[other] = report.name }
      rowsRead[other] = isStoodInFor ? lines : rows
    }
  }

  private mutating func findHeavyTables(_ catalogue: ReportCatalogue, _ database: any Database, _ range: ReportRange)
    throws
  {
    for report in catalogue.reports where report.destination.includesSheet {
      let read = report.columns.compactMap(\.formula).flatMap(\.parts).reduce(Int64(0)) { sum, part in
        if case .range(let other, _) = part { sum + (rowsRead[other] ?? 0) } else { sum }
      }
      if read > 0,
        read.multipliedReportingOverflow(by: try count(report, database, range)).partialValue > Self.mostCellsRead
      {
        valuesOnly.insert(report.name)
      }
    }
  }

  private mutating func count(_ report: ReportDefinition, _ database: any Database, _ range: ReportRange) throws
    -> Int64
  {
    if let known = counts[report.name] { return known }
    var count: Int64 = 0
    try database.query(
      "select count(*) from (\(report.query.sql)\n) as counted", report.query.values(range), within: report.limits
    ) {
      count = try $0.integer(0) ?? 0
    }
    counts[report.name] = count
    return count
  }

  /// All tables but the last are small: their rows are counted, so that the next one's position is known.
  private mutating func place(_ reports: [ReportDefinition], _ database: any Database, _ range: ReportRange) throws
    -> [Table]
  {
    var tables: [Table] = []
    var row = 0
    for (index, report) in reports.enumerated() {
      let isLast = index == reports.count - 1
      let rows = isLast ? nil : Int(try count(report, database, range))
      let heading = reports.count > 1 ? row + 1 : row
      let columns = Self.columns(of: report)
      tables.append(
        Table(
          report: report, headingRow: heading, rows: rows,
          places: Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) }), columns: columns))
      row = heading + 1 + max(rows ?? 0, 1) + TableSheet.rowsBelow
    }
    return tables
  }

  /// The columns to show first, then the others.
  private static func columns(of report: ReportDefinition) -> [ReportColumn] {
    let onSheet = report.columns.filter(\.destination.includesSheet)
    let shown = report.sheet.shows.compactMap { name in onSheet.first { $0.name == name } }
    return shown + onSheet.filter { column in !shown.contains { $0.name == column.name } }
  }
}
