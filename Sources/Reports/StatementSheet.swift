import Payments

/// The sheet of a statement's workbook: the account and the days, the rows with a running balance as formulas, the
/// sums, and the meaning of each column.
final class StatementSheet: TableCells {
  /// The part of the statement that the current row belongs to.
  var part = SellerStatement.Part.opening
  private let writer: SheetWriter
  private let report: ReportDefinition
  private let rule: StatementRule
  private let maximumRows: Int
  private let currency: Currency
  /// The sheet's column for each column of the report, by index.
  private let places: [Int: UInt16]
  private let columns: [ReportColumn]
  private var totals: [Int: Int64?] = [:]
  private var rows = 0
  /// The row of the opening, counted from 0.
  private var firstRow: UInt32 = 0

  init(_ book: Workbook, _ report: ReportDefinition, _ rule: StatementRule, maximumRows: Int, currency: Currency)
    throws(ReportError)
  {
    writer = try SheetWriter(book, name: report.sheet.name)
    self.report = report
    self.rule = rule
    self.maximumRows = maximumRows
    self.currency = currency
    let shown = report.columns.enumerated().filter(\.element.destination.includesSheet)
    places = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1.offset, UInt16($0)) })
    columns = shown.map(\.element)
  }

  /// Writes the lines above the table and its heading, which stay visible.
  func begin(_ lines: [String]) throws(ReportError) {
    for (index, column) in columns.enumerated() { writer.setWidth(column.width, column: index) }
    for (index, line) in lines.enumerated() {
      try writer.row([line], index == 0 ? writer.styles.subtitle : writer.styles.text)
    }
    writer.freezeHeading(through: writer.row)
    writer.setHeight(30)
    for column in columns { writer.heading(column.header, isFigure: column.format.isFigure) }
    try writer.endRow()
    firstRow = writer.row
  }

  func text(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    put(index) {
      report.columns[index].isWrapped ? $0.wrapped(bytes, width: report.columns[index].width) : $0.text(bytes)
    }
  }
  func date(_ bytes: UnsafeRawBufferPointer, at index: Int) { put(index) { $0.date(bytes) } }
  func instant(_ seconds: Int64, at index: Int) { put(index) { $0.instant(seconds) } }
  func share(_ millionths: Int64, at index: Int) {
    put(index) { $0.number(Double(millionths) / 1_000_000, $0.styles.share) }
  }
  func blank(at index: Int) {}

  func integer(_ value: Int64, at index: Int) {
    count(value, index)
    put(index) { $0.integer(value) }
  }

  func amount(_ minor: Int64, digits: Int, currency: @autoclosure () -> String, at index: Int) {
    count(minor, index)
    put(index) { writer in
      guard report.columns[index].name == rule.balance, let formula = balance(digits) else {
        return writer.amount(minor, digits: digits)
      }
      writer.formula(formula, value: CellNumber.major(minor, digits: digits), writer.styles.amounts[digits])
    }
  }

  func endRow() throws(ReportError) {
    if isOpen { try writer.endRow() }
    rows += 1
  }

  /// Writes the sums and the meaning of the columns.
  func finish(csvName: String?) throws(ReportError) {
    let last = writer.row - 1
    for (index, column) in report.columns.enumerated() where rows > 0 {
      guard let place = places[index] else { continue }
      for (word, look) in column.highlights {
        writer.highlight(word, look: look, column: Int(place), from: firstRow, to: last)
      }
    }
    if rows <= maximumRows { try sums() } else { try omission(csvName) }
    try writer.endRow()
    for column in columns where !column.definition.isEmpty {
      try writer.row(["\(column.header): \(column.definition)"], writer.styles.note)
    }
  }

  private func sums() throws(ReportError) {
    guard !totals.isEmpty else { return }
    writer.text("Total", writer.styles.heading)
    for (index, total) in totals.sorted(by: { $0.key < $1.key }) {
      let column = report.columns[index]
      guard let place = places[index] else { continue }
      guard let total else {
        throw .badCell(
          path: report.queryPath, row: 0, column: column.name, reason: "the total is beyond what an amount can be")
      }
      writer.column = place
      let sum = "SUM(\(movements(place, to: writer.row - 2)))"
      if column.format == .amount {
        let digits = currency.digits
        writer.formula(
          "=ROUND(\(sum),\(digits))", value: CellNumber.major(total, digits: digits), writer.styles.amounts[digits])
      } else {
        writer.formula("=\(sum)", value: Double(total), writer.styles.integer)
      }
    }
    try writer.endRow()
  }

  private func omission(_ csvName: String?) throws(ReportError) {
    let whole = csvName.map { "\($0) contains all of them." } ?? "The remaining rows are not exported."
    try writer.row(["The first \(maximumRows) of \(rows) rows are shown here. \(whole)"], writer.styles.note)
  }

  /// The formula of the row's balance: from the row above, for the closing from the opening and all movements; nil
  /// where the value itself is written.
  private func balance(_ digits: Int) -> String? {
    guard let place = place(of: rule.balance), part != .opening else { return nil }
    let row = writer.row
    func sum(_ names: [String], _ sign: String) -> String {
      names.compactMap { name in
        self.place(of: name).map { place in
          sign
            + (part == .closing
              ? "SUM(\(movements(place, to: row - 1)))" : "\(CellAddress.letters(Int(place)))\(row + 1)")
        }
      }.joined()
    }
    let from = "\(CellAddress.letters(Int(place)))\(part == .closing ? firstRow + 1 : row)"
    return "=ROUND(\(from)\(sum(rule.adds, "+"))\(sum(rule.subtracts, "-")),\(digits))"
  }

  /// A column's cells from the opening's row, which contains no movement, to a row counted from 0.
  private func movements(_ place: UInt16, to last: UInt32) -> String {
    let letters = CellAddress.letters(Int(place))
    return "\(letters)\(firstRow + 1):\(letters)\(last + 1)"
  }

  private func place(of name: String) -> UInt16? {
    report.columns.firstIndex { $0.name == name }.flatMap { places[$0] }
  }

  private func count(_ value: Int64, _ index: Int) {
    if report.columns[index].hasTotal { totals[index] = .some((totals[index] ?? 0).adding(value)) }
  }

  private var isOpen: Bool { rows < maximumRows }

  private func put(_ index: Int, _ body: (SheetWriter) -> Void) {
    guard isOpen, let place = places[index] else { return }
    writer.column = place
    body(writer)
  }
}
