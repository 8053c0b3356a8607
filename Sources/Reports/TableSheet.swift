/// One table on a sheet: a heading, the rows up to the limit, then its sums and a note on what it leaves out.
final class TableSheet: TableCells {
  /// Rows kept free below a table that another one follows: for a note and a blank row.
  static let rowsBelow = 2

  private let writer: SheetWriter
  private let table: SheetPlan.Table
  private let book: TableContext
  private let isLast: Bool
  /// By the column's index in the report.
  private let slots: [Slot]
  private let writesFormulas: Bool
  private var rows = 0
  private var provider = ""
  private var totals = ColumnTotals()
  private var report: ReportDefinition { table.report }
  /// How many rows are shown; a report that replaces a table with too many rows is complete.
  private let mostRows: Int

  /// Where and how a column's cells are written; one object, since it is read for a million cells.
  private final class Slot {
    let column: ReportColumn
    /// The sheet's column; nil: it is in the file only.
    let place: UInt16?
    let wraps: Bool
    let isFilledIn: Bool
    /// Whether a link needs the rows of its values.
    let isAskedFor: Bool
    /// The target of its cells' links, if they have any.
    let link: ColumnLink?
    /// Whether its cells name the provider of the row's dashboard links.
    let namesProvider: Bool
    let hasTotal: Bool
    let formula: CellFormula?

    init(_ column: ReportColumn, _ table: SheetPlan.Table, _ book: TableContext) {
      self.column = column
      place = table.places[column.name].map(UInt16.init)
      wraps = column.isWrapped
      isFilledIn = !column.choices.isEmpty
      isAskedFor = book.links.asks(for: table.report.name, column: column.name)
      link = book.links(of: column, in: table.report)
      namesProvider = column.name == "provider" && !book.settings.dashboards.isEmpty
      hasTotal = column.hasTotal
      formula = book.plan.writesFormulas(of: table.report.name) ? column.formula : nil
    }
  }

  /// The state that the tables of a workbook share.
  struct TableContext {
    let plan: SheetPlan
    let links: LinkIndex
    let settings: WorkbookSettings
    let written = WrittenTables()

    /// The column's link, or nil if it is known that no cell has one: there is no dashboard, or the table has too many
    /// rows for links.
    func links(of column: ReportColumn, in report: ReportDefinition) -> ColumnLink? {
      switch column.link {
      case .dashboard where settings.dashboards.isEmpty: nil
      case .row where !links.small.contains(report.name): nil
      default: column.link
      }
    }
  }

  /// How many rows each table shows, once it is written.
  final class WrittenTables {
    var rows: [String: Int] = [:]
  }

  init(_ writer: SheetWriter, _ table: SheetPlan.Table, isLast: Bool, _ book: TableContext) {
    self.writer = writer
    self.table = table
    self.isLast = isLast
    self.book = book
    writesFormulas = book.plan.writesFormulas(of: table.report.name)
    slots = table.report.columns.map { Slot($0, table, book) }
    mostRows = table.report.standsInFor == nil ? book.settings.maximumRows : WorkbookSettings.limit
  }

  /// Writes the heading; called when it is the table's turn.
  func begin() throws(ReportError) {
    writer.setHeight(30)
    for column in table.columns { writer.heading(column.header, isFigure: column.format.isFigure) }
    try writer.endRow()
  }

  func text(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    guard let place = open(index) else { return }
    writer.column = place
    let slot = slots[index]
    if let words = slot.column.format.words(of: bytes) { return self.words(words, slot) }
    if let formula = slot.formula { return word(bytes, formula) }
    if slot.namesProvider { provider = String(decoding: bytes, as: UTF8.self) }
    if !bytes.isEmpty, slot.isAskedFor || slot.link != nil {
      return linked(String(decoding: bytes, as: UTF8.self), slot)
    }
    if slot.isFilledIn {
      return bytes.isEmpty ? writer.blank(writer.styles.entry) : writer.text(bytes, writer.styles.entry)
    }
    if slot.wraps { writer.wrapped(bytes, width: slot.column.width) } else { writer.text(bytes) }
  }

  private func word(_ bytes: UnsafeRawBufferPointer, _ formula: CellFormula) {
    writer.formula(rendered(formula), value: String(decoding: bytes, as: UTF8.self), writer.styles.text)
  }

  private func words(_ text: String, _ slot: Slot) {
    if slot.isAskedFor || slot.link != nil { return linked(text, slot) }
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if slot.wraps { writer.wrapped(bytes, width: slot.column.width) } else { writer.text(bytes) }
    }
  }

  private func linked(_ text: String, _ slot: Slot) {
    if slot.isAskedFor {
      book.links.note(report: report.name, column: slot.column.name, value: text, row: table.firstRow + rows)
    }
    let target: String? =
      switch slot.link {
      case .row(let report, let column):
        text.isEmpty ? nil : book.links.address(report: report, column: column, value: text)
      case .dashboard: text.isEmpty || text.contains(" ") ? nil : book.settings.dashboard(of: provider, id: text)
      case nil: nil
      }
    if let target { writer.link(text, to: target) } else { writer.text(text) }
  }

  func date(_ bytes: UnsafeRawBufferPointer, at index: Int) { put(index) { $0.date(bytes) } }
  func instant(_ seconds: Int64, at index: Int) { put(index) { $0.instant(seconds) } }

  func integer(_ value: Int64, at index: Int) {
    guard let place = open(index) else { return }
    writer.column = place
    let slot = slots[index]
    if let formula = slot.formula {
      writer.formula(rendered(formula), value: Double(value), writer.styles.integer)
    } else {
      writer.integer(value)
    }
    if slot.hasTotal { totals.add(value, digits: 0, currency: "", column: index) }
  }

  func share(_ millionths: Int64, at index: Int) {
    guard let place = open(index) else { return }
    writer.column = place
    let value = Double(millionths) / 1_000_000
    if let formula = slots[index].formula {
      writer.formula(rendered(formula, digits: 6), value: value, writer.styles.share)
    } else {
      writer.number(value, writer.styles.share)
    }
  }

  func amount(_ minor: Int64, digits: Int, currency: @autoclosure () -> String, at index: Int) {
    guard let place = open(index) else { return }
    writer.column = place
    let slot = slots[index]
    if let formula = slot.formula {
      writer.formula(
        rendered(formula, digits: digits), value: CellNumber.major(minor, digits: digits), writer.styles.amounts[digits]
      )
    } else {
      writer.amount(minor, digits: digits)
    }
    if slot.hasTotal { totals.add(minor, digits: digits, currency: currency(), column: index) }
  }

  func blank(at index: Int) {
    guard slots[index].isFilledIn, let place = open(index) else { return }
    writer.column = place
    writer.blank(writer.styles.entry)
  }

  func endRow() throws(ReportError) {
    if isOpen { try writer.endRow() }
    rows += 1
  }

  /// Sets filter, lists and highlights, writes the sums, and notes what the table leaves out.
  ///
  /// - Returns: a sentence for the summary about what it leaves out; nil if it is complete.
  func finish() throws(ReportError) -> String? {
    let shown = min(rows, mostRows)
    book.written.rows[report.name] = shown
    let last = table.headingRow + shown
    filter(last: last)
    print(last: last)
    for slot in slots {
      guard let place = slot.place, shown > 0 else { continue }
      for (word, look) in slot.column.highlights {
        writer.highlight(word, look: look, column: Int(place), from: UInt32(table.firstRow), to: UInt32(last))
      }
      let words = slot.column.choices.filter { $0 != ReportColumn.anyText }
      if !words.isEmpty { writer.offer(words, column: Int(place), from: UInt32(table.firstRow), to: UInt32(last)) }
    }
    let omission = omission(shown: shown)
    if let omission {
      try writer.row([omission], writer.styles.note)
    } else if rows == 0 {
      try writer.row(["None."], writer.styles.note)
    }
    if isLast { try sums(last: last) }
    return omission.map { "\(report.sheet.name): \($0)" }
  }

  /// A single table on a sheet uses the sheet's filter; of several, each one with rows has a filter of its own.
  private func filter(last: Int) {
    guard table.headingRow > 0 else { return writer.filter(columns: table.columns.count, lastRow: last) }
    let filtered = SheetTable(
      report: report.name, headings: table.columns.map(\.header), headingRow: table.headingRow, lastRow: last)
    if let filtered { writer.filter(filtered) }
  }

  /// How many rows of a table are printed: nobody reads more on paper.
  private static let mostPrinted = 1000

  /// Of several tables on a sheet the first is printed; of a long one only its beginning, as the footer notes.
  private func print(last: Int) {
    let isFirst = table.headingRow <= 1
    if isFirst, !isLast { return writer.printOnly(columns: table.columns.count, through: last) }
    guard isFirst, last > Self.mostPrinted else { return }
    writer.printOnly(columns: table.columns.count, through: Self.mostPrinted, of: last)
  }

  /// A line per currency below the table: amounts of two currencies are never added.
  private func sums(last: Int) throws(ReportError) {
    guard !totals.isEmpty, rows <= mostRows else { return }
    try writer.endRow()
    for currency in totals.currencies {
      writer.text(currency.isEmpty ? "Total" : "Total \(currency)", writer.styles.total)
      while writer.column < table.columns.count { writer.blank(writer.styles.total) }
      for (index, slot) in slots.enumerated() where slot.column.hasTotal {
        guard let place = slot.place, let sum = try totals.sum(index, currency, of: report) else { continue }
        writer.column = place
        let cells = address(Int(place), to: last)
        guard slot.column.format == .amount else {
          writer.formula("=SUM(\(cells))", value: Double(sum.amount), writer.styles.totalInteger)
          continue
        }
        guard let of = table.places[slot.column.currencySource ?? ""] else { continue }
        let text = "=ROUND(SUMIFS(\(cells),\(address(of, to: last)),\(CellAddress.quoted(currency))),\(sum.digits))"
        writer.formula(
          text, value: CellNumber.major(sum.amount, digits: sum.digits), writer.styles.totalAmounts[sum.digits])
      }
      try writer.endRow()
    }
  }

  private func address(_ place: Int, to last: Int) -> String {
    let letters = CellAddress.letters(place)
    return "\(letters)$\(table.firstRow + 1):\(letters)$\(last + 1)"
  }

  private func rendered(_ formula: CellFormula, digits: Int? = nil) -> String {
    let row = table.firstRow + rows + 1
    let text = formula.text(
      cell: { name in "$\(CellAddress.letters(table.places[name] ?? 0))\(row)" },
      range: { report, column in book.plan.range(report, column) })
    // Sums of cells are sums of doubles: rounding to the currency's digits restores the exact amount.
    return digits.map { "=ROUND(\(text.dropFirst()),\($0))" } ?? text
  }

  private var isOpen: Bool { rows < mostRows }

  private func open(_ index: Int) -> UInt16? { isOpen ? slots[index].place : nil }

  private func put(_ index: Int, _ body: (SheetWriter) -> Void) {
    guard let place = open(index) else { return }
    writer.column = place
    body(writer)
  }

  private func omission(shown: Int) -> String? {
    var sentences: [String] = []
    if !writesFormulas {
      sentences.append("Totals are written as values: formulas would take a spreadsheet minutes to compute.")
    }
    let whole =
      report.destination.includesCSV
      ? "\(report.csvName) contains all of them."
      : "The remaining rows are not exported."
    if rows > shown { sentences.append("The first \(shown) of \(rows) rows are shown here. \(whole)") }
    let cut = writer.takeCutTexts()
    if cut > 0 {
      sentences.append(
        "Texts cut at the length limit of a cell, ending in …: \(cut). \(report.csvName) has the full texts.")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}
