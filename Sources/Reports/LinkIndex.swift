import Storage

/// The positions of rows that cells of other tables link to.
///
/// Only rows that some cell links to are remembered, so a night of a million rows costs no more than its exceptions.
/// Cells of a table with more than `mostRows` rows do not link to other rows; for the other tables, the links and the
/// positions of their own rows are known before anything is written.
final class LinkIndex {
  static let mostRows = 20_000
  private var wanted: [Target: Set<String>] = [:]
  private var rows: [Target: [String: Int]] = [:]
  private let plan: SheetPlan
  /// Tables whose links can lead to rows that are written earlier.
  private(set) var small: Set<String> = []

  private struct Target: Hashable {
    let report: String
    let column: String
  }

  init(_ plan: SheetPlan, _ catalogue: ReportCatalogue, database: any Database, range: ReportRange, maximumRows: Int)
    throws
  {
    self.plan = plan
    let targets = Set(catalogue.reports.flatMap { $0.columns }.compactMap(Self.target))
    for report in catalogue.reports
    where plan.table(report.name) != nil && report.columns.contains(where: { Self.target($0) != nil }) {
      if plan.hasMoreRows(report.name, than: Self.mostRows) { continue }
      try ask(report, targets, database, range, maximumRows)
    }
  }

  /// The address of the row with a value; nil where it is not known.
  func address(report: String, column: String, value: String) -> String? {
    let known = rows[Target(report: report, column: column)]
    guard let row = known?[value] ?? known?[Self.first(value)], let table = plan.table(report),
      let place = table.places[column]
    else { return nil }
    return "#\(CellAddress.sheet(table.report.sheet.name))\(CellAddress.letters(place))\(row + 1)"
  }

  /// Requests the positions of values, on behalf of the first sheet; to be called before the report is written.
  func ask(report: String, column: String, values: [String]) {
    guard !values.isEmpty else { return }
    wanted[Target(report: report, column: column), default: []].formUnion(values)
  }

  /// Whether any link needs rows of that column.
  func asks(for report: String, column: String) -> Bool { wanted[Target(report: report, column: column)] != nil }

  /// Remembers the row of a value if a link needs it.
  func note(report: String, column: String, value: String, row: Int) {
    let target = Target(report: report, column: column)
    guard let asked = wanted[target] else { return }
    for id in Self.ids(value) where asked.contains(id) && rows[target]?[id] == nil {
      rows[target, default: [:]][id] = row
    }
  }

  private static func target(_ column: ReportColumn) -> Target? {
    if case .row(let report, let name) = column.link { Target(report: report, column: name) } else { nil }
  }

  /// The ids of a cell: the whole, which may contain spaces, and each of several.
  private static func ids(_ value: String) -> [String] {
    let words = value.split(separator: " ").map(String.init)
    return words.count == 1 ? words : [value] + words
  }

  /// A cell with several ids links to the first.
  private static func first(_ value: String) -> String { value.split(separator: " ").first.map(String.init) ?? "" }

  private func ask(
    _ report: ReportDefinition, _ targets: Set<Target>, _ database: any Database, _ range: ReportRange,
    _ maximumRows: Int
  ) throws {
    let own = report.columns.filter { targets.contains(Target(report: report.name, column: $0.name)) }
    let links = report.columns.filter { Self.target($0) != nil }
    let sources = (own + links).map { "asked.\($0.source)" }.joined(separator: ", ")
    var found: [[String]] = []
    try database.query(
      "select \(sources) from (\(report.query.sql)\n) as asked limit \(Self.mostRows + 1)", report.query.values(range),
      within: report.limits
    ) { row in found.append((0..<(own.count + links.count)).map { row.text($0) ?? "" }) }
    guard found.count <= Self.mostRows, let table = plan.table(report.name) else { return }
    small.insert(report.name)
    for (index, values) in found.enumerated() where index < maximumRows {
      for (column, value) in zip(own, values) {
        let target = Target(report: report.name, column: column.name)
        for id in Self.ids(value) where rows[target]?[id] == nil {
          rows[target, default: [:]][id] = table.firstRow + index
        }
      }
      for (column, value) in zip(links, values.dropFirst(own.count)) where !value.isEmpty {
        guard let target = Self.target(column) else { continue }
        wanted[target, default: []].formUnion([value, Self.first(value)])
      }
    }
  }
}
