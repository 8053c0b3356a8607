import CXLSXWriter

/// The pictures below the figures of the first sheet: volume and fees per provider, discrepancies by type, how old they are.
///
/// Amounts of two currencies share no axis: each currency has a chart of its own. A chart that would be empty is left out.
struct SummaryCharts {
  /// Currencies that get a chart; what was captured in others stands in the figures.
  static let mostCurrencies = 6
  private static let (width, height, rows) = (620.0, 280.0, UInt32(15))
  private static let pixelsOfRow = 20.0

  let workbook: Workbook
  let ageing: SheetPlan.Table?
  /// How many rows the ageing table has.
  let ageingRows: Int

  func insert(into writer: SheetWriter, totals: Range<Int>, figures: SummaryFigures, plan: SheetPlan) throws(ReportError) {
    var charts: [UnsafeMutablePointer<lxw_chart>] = []
    for rows in volumes(totals, figures) { charts.append(try volume(rows, figures.totals[rows.lowerBound - totals.lowerBound].currency.code)) }
    guard !charts.isEmpty || ageingRows > 0 else { return }
    try writer.row(["Pictures"], writer.styles.subtitle)
    for (place, chart) in charts.enumerated() { insert(chart, into: writer, below: UInt32(place / 2) * Self.rows, isLeft: place % 2 == 0) }
    guard let ageing, ageingRows > 0 else { return }
    let below = UInt32((charts.count + 1) / 2) * Self.rows
    insert(try types(ageing), into: writer, below: below, isLeft: true, height: max(Self.height, 90 + Double(ageingRows) * Self.pixelsOfRow))
    insert(try ages(ageing), into: writer, below: below, isLeft: false)
  }

  private func insert(
    _ chart: UnsafeMutablePointer<lxw_chart>, into writer: SheetWriter, below rows: UInt32, isLeft: Bool, height: Double = height
  ) {
    writer.insert(chart, row: writer.row + rows, column: isLeft ? 0 : 6, width: Self.width, height: height)
  }

  /// The rows of each currency in which anything was captured.
  private func volumes(_ totals: Range<Int>, _ figures: SummaryFigures) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, total) in figures.totals.enumerated() {
      let row = totals.lowerBound + index
      if let last = ranges.last, last.upperBound == row, figures.totals[index - 1].currency == total.currency {
        ranges[ranges.count - 1] = last.lowerBound..<row + 1
      } else {
        ranges.append(row..<row + 1)
      }
    }
    let isBlank = { (range: Range<Int>) in
      range.allSatisfy { figures.totals[$0 - totals.lowerBound].captured == 0 }
    }
    return Array(ranges.filter { !isBlank($0) }.prefix(Self.mostCurrencies))
  }

  private func volume(_ rows: Range<Int>, _ currency: String) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    let chart = try workbook.addChart(LXW_CHART_COLUMN, title: "Captured and fees per provider, \(currency)")
    for (name, column) in [("Captured", "C"), ("Provider fees", "F")] {
      add(
        name, to: chart, categories: "=Summary!$A$\(rows.lowerBound + 1):$A$\(rows.upperBound)",
        values: "=Summary!$\(column)$\(rows.lowerBound + 1):$\(column)$\(rows.upperBound)")
    }
    return chart
  }

  private func types(_ table: SheetPlan.Table) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    let chart = try workbook.addChart(LXW_CHART_BAR, title: "Open discrepancies by type")
    add("Cases", to: chart, categories: cells(table, "type"), values: cells(table, "cases"))
    chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
    return chart
  }

  /// The sums below the ageing table.
  private func ages(_ table: SheetPlan.Table) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    let chart = try workbook.addChart(LXW_CHART_COLUMN, title: "How long they have been open")
    let (first, last) = (CellAddress.letters(table.places["days_1"] ?? 0), CellAddress.letters(table.places["days_more"] ?? 0))
    let (heading, sums) = (table.headingRow + 1, table.firstRow + ageingRows + 2)
    let sheet = CellAddress.sheet(table.report.sheet.name)
    add("Cases", to: chart, categories: "=\(sheet)$\(first)$\(heading):$\(last)$\(heading)", values: "=\(sheet)$\(first)$\(sums):$\(last)$\(sums)")
    chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
    return chart
  }

  private func cells(_ table: SheetPlan.Table, _ column: String) -> String {
    let letters = CellAddress.letters(table.places[column] ?? 0)
    return "=\(CellAddress.sheet(table.report.sheet.name))$\(letters)$\(table.firstRow + 1):$\(letters)$\(table.firstRow + ageingRows)"
  }

  private func add(_ name: String, to chart: UnsafeMutablePointer<lxw_chart>, categories: String, values: String) {
    let series = chart_add_series(chart, categories, values)
    chart_series_set_name(series, name)
  }
}
