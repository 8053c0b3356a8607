import Storage

/// One report: a query, and the layout that says how its columns are shown.
///
/// It is a folder with `query.sql` (one statement, portable SQL on the derived tables, in a full order) and
/// `layout.yml`. In the query `$1` is the range's first instant, `$2` its end, `$3` the text of its first day and `$4`
/// of its last.
package struct ReportDefinition: Sendable {
  /// The folder's name: the CSV file is called after it.
  package let name: String
  package let folder: String
  package let title: String
  /// What the report is, in one or two sentences.
  package let description: String
  package let destination: ReportDestination
  /// The name of its sheet, and its place among the sheets: the lowest stands first.
  package let sheet: SheetPlace
  package let columns: [ReportColumn]
  /// The report that it replaces where that has more rows than a sheet may hold: the same columns, summed up, and
  /// `rows`, how many rows each line represents. Formulas then read it in the other's place; else it is not written.
  package let standsInFor: String?
  /// How it is cut into statements for connected accounts; then it is in no file and on no sheet of the night.
  package let statement: StatementRule?
  package let query: ReportQuery
  /// What its query may take.
  package var limits = ReadLimits.team

  package var layoutPath: String { "\(folder)/layout.yml" }
  package var queryPath: String { "\(folder)/query.sql" }
  package var csvName: String { "\(name).csv" }
}

/// Where a report goes; the raw value is the word of `goes_to`.
package enum ReportDestination: String, Sendable, CaseIterable {
  case csv, sheet, both

  var includesCSV: Bool { self != .sheet }
  var includesSheet: Bool { self != .csv }
}

/// A sheet's name and place in the workbook.
package struct SheetPlace: Sendable, Equatable {
  /// 1...31 characters, none of `[]:*?/\`.
  package let name: String
  /// The lowest stands first; ours have 10...100, and one that names none comes after them.
  package let position: Int
  /// Of several tables on one sheet the lowest is on top; all but the last are to be small.
  package var block = 1
  /// The columns in sight, in their order; the others follow them, folded away. Empty: all, in the order of the file.
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
  /// What the column says, in one sentence.
  package let definition: String
  /// The column of the query that fills it.
  package let source: String
  /// Of an amount: the column of the query that contains its currency.
  package let currencySource: String?
  /// Where the cell leads on the sheet.
  package var link: ColumnLink?
  /// What the cell computes on the sheet; the query gives the value that it shows before anybody calculates.
  package var formula: CellFormula?
  /// Whether its sums are below the table, a line per currency.
  package var hasTotal = false
  /// Whether it is in the file, on the sheet, or in both.
  package var destination = ReportDestination.both
  /// What may be filled in on the sheet: the words of a list.
  package var choices: [String] = []
  /// Words that stand out, each with `good`, `warning` or `bad`.
  package var highlights: [(word: String, look: HighlightLook)] = []
  /// Where it is in layout.yml, counted from 1.
  package let line: Int

  /// The columns of the query that it needs.
  var sources: [String] { [source] + (currencySource.map { [$0] } ?? []) }
}

/// How the ordered rows of a report become statements: one of every provider, connected account and currency, from its
/// opening to its closing.
package struct StatementRule: Sendable, Equatable {
  /// The columns that its query yields besides those of the layout: whose statement a row belongs to, and which part of
  /// it the row is.
  static let sources = ["provider", "connected_account", "currency", "part"]

  /// The column of the running balance.
  let balance: String
  /// The amounts that a row adds to the balance.
  let adds: [String]
  /// The amounts that a row takes from it.
  let subtracts: [String]
}

/// How a cell is written; the raw value is the word of `format`.
package enum CellFormat: String, Sendable, CaseIterable {
  /// Minor units in the query (`<name>_minor`), an exact decimal with the currency's digits in the file, a number on
  /// the sheet.
  case amount
  /// `2026-03-01` in the query and the file, a date on the sheet.
  case date
  /// Unix seconds in the query, RFC 3339 UTC in the file, a date with time on the sheet.
  case instant
  /// Free text of others: what a spreadsheet would run is neutralised.
  case text
  case integer
  /// Parts of a million in the query, per cent on the sheet and a decimal fraction in the file.
  case share
  /// An identifier or a word of a fixed list; treated as text, and never wrapped.
  case word
  /// A sentence of ours: on the sheet with separators at thousands and times as people write them.
  case prose
  /// A word of a fixed list that a sheet shows as a title: `missing_payment` is `Missing payment`.
  case title
}

/// How a word stands out; the word itself says the same.
package enum HighlightLook: String, Sendable, CaseIterable { case good, warning, bad }

/// Where a cell leads.
package enum ColumnLink: Sendable, Equatable {
  /// To the provider's dashboard, by the configured template of the row's provider.
  case dashboard
  /// To the row of another report whose column holds the same value.
  case row(report: String, column: String)
}
