import Cryptography
import Foundation
import Payments
import Storage

/// Writes every report of a range into a folder: the CSV files and the workbook, each query run once.
package struct ReportRun: Sendable {
  package static let workbookName = "reconciliation.xlsx"

  package var catalogue: ReportCatalogue
  package var range: ReportRange
  package var workbook: WorkbookSettings
  /// Further entries for the sheet of definitions, such as the checks.
  package var glossary: [GlossaryEntry]
  /// Also writes the statements for connected accounts.
  package var writesStatements = false
  /// The number of the close that the statements belong to; nil: the range is open, and they have no number.
  package var statementNumber: Int?

  package init(
    catalogue: ReportCatalogue, range: ReportRange, workbook: WorkbookSettings = WorkbookSettings(),
    glossary: [GlossaryEntry] = []
  ) {
    self.catalogue = catalogue
    self.range = range
    self.workbook = workbook
    self.glossary = glossary
  }

  /// Writes the files; the caller seals the publication they belong to.
  ///
  /// - Returns: the files in the order of the sheets, the workbook last.
  /// - Throws: `ReportError`, or the database's error.
  @discardableResult
  package func write(from database: any Database, summary: RunSummary, into folder: String) throws -> [WrittenFile] {
    let book = try Workbook(
      path: "\(folder)/\(Self.workbookName)", title: "Reconciliation \(range.name)", createdAt: range.endsAt,
      settings: workbook)
    let plan = try SheetPlan(catalogue, database: database, range: range, maximumRows: workbook.maximumRows)
    let links = try LinkIndex(plan, catalogue, database: database, range: range, maximumRows: workbook.maximumRows)
    let first = try SummarySheet(book, summary: summary)
    first.ask(links)
    var sheets: [(sheet: SheetPlan.Sheet, writer: SheetWriter)] = []
    for sheet in plan.sheets { sheets.append((sheet, try SheetWriter(book, name: sheet.name))) }
    let last = try DefinitionsSheet(book)
    var written: [String: WrittenFile] = [:]
    var omissions: [String: String] = [:]
    let context = TableSheet.TableContext(plan: plan, links: links, settings: workbook)
    // Tables that others link to are written before them.
    let order = sheets.filter { !$0.sheet.isSmall(links) } + sheets.filter { $0.sheet.isSmall(links) }
    for (sheet, writer) in order {
      try StackedSheet(sheet, writer).begin()
      for (index, table) in sheet.tables.enumerated() {
        let isLast = index == sheet.tables.count - 1
        try StackedSheet(sheet, writer).heading(of: table)
        let tableSheet = TableSheet(writer, table, isLast: isLast, context)
        if let file = try write(table.report, tableSheet, from: database, into: folder) {
          written[table.report.name] = file
        }
        omissions[table.report.name] = try tableSheet.finish()
        if !isLast { try writer.skip(to: UInt32(table.lastRow + 1 + TableSheet.rowsBelow)) }
      }
    }
    for report in catalogue.reports where report.destination.includesCSV && written[report.name] == nil {
      if let file = try write(report, nil, from: database, into: folder) { written[report.name] = file }
    }
    let charts = SummaryCharts(
      workbook: book, ageing: plan.table("ageing"), ageingRows: context.written.rows["ageing"] ?? 0)
    try first.write(
      omissions: catalogue.reports.compactMap { omissions[$0.name] }, plan: plan, links: links, charts: charts)
    try last.write(catalogue.reports, glossary: glossary)
    try book.close()
    var files = catalogue.reports.compactMap { written[$0.name] } + [try Self.measured(Self.workbookName, in: folder)]
    for report in writesStatements ? catalogue.statements : [] {
      let statements = try StatementFiles(
        report, days: summary.days, timeZone: summary.timeZone, range: range, workbook: workbook,
        number: statementNumber, in: folder)
      files.append(try statements.write(from: database))
    }
    return files
  }

  private func write(
    _ report: ReportDefinition, _ sheet: TableSheet?, from database: any Database, into folder: String
  ) throws -> WrittenFile? {
    try sheet?.begin()
    let csv =
      report.destination.includesCSV
      ? try CSVWriter(
        folder: folder, name: report.csvName, columns: report.columns.filter(\.destination.includesCSV).map(\.name))
      : nil
    try TableWriter(report: report, csv: csv, sheet: sheet).write(from: database, range: range)
    return try csv?.finish()
  }

  /// The size and hash of a file that a library wrote.
  static func measured(_ name: String, in folder: String) throws -> WrittenFile {
    let path = "\(folder)/\(name)"
    guard let file = FileHandle(forReadingAtPath: path) else { throw ReportError(errno, path) }
    defer { try? file.close() }
    var hash = SHA256()
    var bytes: Int64 = 0
    while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
      hash.update(piece)
      bytes += Int64(piece.count)
    }
    return WrittenFile(name: name, sha256: hash.finalize().hexadecimal, bytes: bytes, rows: 0)
  }
}

/// A word and what it means, for the sheet of definitions.
package struct GlossaryEntry: Sendable, Equatable {
  /// The kind of term: "check", "matching rule".
  package let area: String
  package let word: String
  /// One sentence.
  package let meaning: String

  package init(area: String, word: String, meaning: String) {
    self.area = area
    self.word = word
    self.meaning = meaning
  }
}

extension Publication {
  /// Publishes a range: writes its reports, gets run.json from the caller, and shows the publication as a whole.
  ///
  /// - Parameters:
  ///   - today: the current day; `latest` never stays at a later one.
  ///   - runJSON: receives the files with their hashes, and the name of the publication that this one supersedes.
  /// - Returns: the link to the reports.
  /// - Throws: `ReportError`; the former publication is then unchanged.
  @discardableResult
  package static func publish(
    _ run: ReportRun, summary: RunSummary, from database: any Database, into outputDirectory: String,
    asOf: String? = nil, today: BusinessDay? = nil,
    runJSON: (_ files: [WrittenFile], _ supersedes: String?) throws -> [UInt8]
  ) throws -> String {
    let publication = try Publication(PublishedRange(run.range, asOf: asOf), in: outputDirectory)
    let files = try run.write(from: database, summary: summary, into: publication.directory)
    try publication.seal(runJSON: try runJSON(files, publication.supersedes), today: today)
    return publication.link
  }
}
