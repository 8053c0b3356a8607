import Storage

/// Runs one report's query and writes its CSV file and its sheet in one pass over the rows.
struct TableWriter {
  let report: ReportDefinition
  let csv: CSVWriter?
  let sheet: TableSheet?

  /// - Throws: `ReportError`, or the database's error while reading.
  func write(from database: any Database, range: ReportRange) throws {
    var cells: RowWriter<TableSheet>?
    do {
      try database.query(report.query.sql, report.query.values(range), within: report.limits) { row in
        if cells == nil { cells = try RowWriter(report: report, names: row.names) }
        try cells?.write(row, csv: csv, sheet: sheet)
        try csv?.endRow()
        try sheet?.endRow()
      }
    } catch let error as StorageError {
      throw ReportError.refused(report.queryPath, error)
    }
  }
}
