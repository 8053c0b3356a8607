import Storage

/// One report: a query, and the layout that defines how its columns are shown.
///
/// It is a folder with `query.sql` (one statement, portable SQL on the derived tables, in a full order) and
/// `layout.yml`. In the query `$1` is the range's first instant, `$2` its end, `$3` the text of its first day and `$4`
/// of its last.
package struct ReportDefinition: Sendable {
  /// The folder's name, which is also the name of the CSV file.
  package let name: String
  package let folder: String
  package let title: String
  /// What the report is, in one or two sentences.
  package let description: String
  package let destination: ReportDestination
  /// The name of its sheet, and its place among the sheets: the lowest position comes first.
  package let sheet: SheetPlace
  package let columns: [ReportColumn]
  /// The report that it replaces if that has more rows than a sheet may have: it has the same columns, summed up, and
  /// `rows`, the number of rows that each line represents. Formulas then read it in the other's place; otherwise it is
  /// not written.
  package let standsInFor: String?
  /// How it is split into statements for connected accounts; it is then in no file and on no sheet of the nightly
  /// reports.
  package let statement: StatementRule?
  package let query: ReportQuery
  /// The limits of its query.
  package var limits = ReadLimits.team

  package var layoutPath: String { "\(folder)/layout.yml" }
  package var queryPath: String { "\(folder)/query.sql" }
  package var csvName: String { "\(name).csv" }
}

/// Where a column goes; the raw value is the value of `goes_to`.
package enum ReportDestination: String, Sendable, CaseIterable {
  case csv, sheet, both

  var includesCSV: Bool { self != .sheet }
  var includesSheet: Bool { self != .csv }
}

/// A sheet's name and place in the workbook.
package struct SheetPlace: Sendable, Equatable {
  /// 1...31 characters, none of `[]:*?/\`.
  package let name: String
  /// The lowest comes first; ours have 10...100, and a sheet without a position comes after them.
  package let position: Int
  /// The order of several tables on one sheet, from the top; all but the last must be small.
  package var block = 1
  /// The visible columns, in order; the others follow, collapsed. Empty: all, in the order of the file.
  package var shows: [String] = []
}

/// A column of a report.
package struct ReportColumn: Sendable {
  /// The column's name in the CSV file.
  package let name: String
  /// The heading on the sheet.
  package let header: String
  package let format: CellFormat
  /// Width on the sheet, in characters.
  package let width: Double
  /// The meaning of the column, in one sentence.
  package let definition: String
  /// The column of the query that fills it.
  package let source: String
  /// For an amount: the column of the query that contains its currency.
  package let currencySource: String?
  /// The target of the cell's link on the sheet.
  package var link: ColumnLink?
  /// The cell's formula on the sheet; the query gives the value that it shows before the spreadsheet recalculates.
  package var formula: CellFormula?
  /// Whether its sums are shown below the table, one line per currency.
  package var hasTotal = false
  /// Whether it is in the file, on the sheet, or in both.
  package var destination = ReportDestination.both
  /// The values that may be filled in on the sheet, as a list.
  package var choices: [String] = []
  /// Words to highlight, each with `good`, `warning` or `bad`.
  package var highlights: [(word: String, look: HighlightLook)] = []
  /// Its line in layout.yml, from 1.
  package let line: Int

  /// The columns of the query that it reads.
  var sources: [String] { [source] + (currencySource.map { [$0] } ?? []) }
}

/// How the ordered rows of a report become statements: one for every provider, connected account and currency, from its
/// opening to its closing.
package struct StatementRule: Sendable, Equatable {
  /// The columns that its query yields besides those of the layout: the owner of the statement, and the part of the
  /// statement that the row belongs to.
  static let sources = ["provider", "connected_account", "currency", "part"]

  /// The column of the running balance.
  let balance: String
  /// The amounts that a row adds to the balance.
  let adds: [String]
  /// The amounts that a row subtracts from the balance.
  let subtracts: [String]
}

/// How a cell is written; the raw value is the value of `format`.
package enum CellFormat: String, Sendable, CaseIterable {
  /// Minor units in the query (`<name>_minor`), an exact decimal with the currency's digits in the file, a number on
  /// the sheet.
  case amount
  /// `2026-03-01` in the query and the file, a date on the sheet.
  case date
  /// Unix seconds in the query, RFC 3339 UTC in the file, a date with time on the sheet.
  case instant
  /// Free text from others: what a spreadsheet would run is neutralised.
  case text
  case integer
  /// Millionths in the query, per cent on the sheet and a decimal fraction in the file.
  case share
  /// An identifier or a word of a fixed list; treated as text, and never wrapped.
  case word
  /// A sentence of ours: on the sheet with thousands separators and readable times.
  case prose
  /// A word of a fixed list that a sheet shows as a title: `missing_payment` is `Missing payment`.
  case title
}

/// How a word is highlighted; the word itself has the same meaning.
package enum HighlightLook: String, Sendable, CaseIterable { case good, warning, bad }

/// The target of a cell's link.
package enum ColumnLink: Sendable, Equatable {
  /// The provider's dashboard, by the configured template of the row's provider.
  case dashboard
  /// The row of another report whose column has the same value.
  case row(report: String, column: String)
}
