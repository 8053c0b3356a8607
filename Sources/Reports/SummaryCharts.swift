import CXLSXWriter

/// The charts below the figures of the first sheet: volume and fees per provider, discrepancies by type and by age.
///
/// Each currency has a chart of its own, since amounts of two currencies cannot share an axis. An empty chart is left
/// out.
struct SummaryCharts {
  /// How many currencies get a chart; captures in others are in the figures.
  static let mostCurrencies = 6
  /// The size in pixels, and the rows of the sheet that a chart takes with the gap below it.
  private static let (width, height, rows) = (580.0, 264.0, UInt32(14))
  private static let pixelsOfRow = 20.0
  /// How many rows fit on a printed page.
  private static let rowsOfPage: UInt32 = 51
  private static let (blue, orange, grey): (lxw_color_t, lxw_color_t, lxw_color_t) = (0x3B6EA5, 0xE0902F, 0xD9D9D9)

  let workbook: Workbook
  let ageing: SheetPlan.Table?
  /// How many rows the ageing table has.
  let ageingRows: Int

  /// - Returns: the rows before which a printed page must end, so that no page break cuts a chart.
  func insert(into writer: SheetWriter, totals: Range<Int>, figures: SummaryFigures, plan: SheetPlan)
    throws(ReportError) -> [UInt32]
  {
    var charts: [UnsafeMutablePointer<lxw_chart>] = []
    for rows in volumes(totals, figures) {
      charts.append(try volume(rows, figures.totals[rows.lowerBound - totals.lowerBound].currency.code))
    }
    guard !charts.isEmpty || ageingRows > 0 else { return [] }
    var breaks = [writer.row]
    try writer.row(["Charts"], writer.styles.subtitle)
    var below: UInt32 = 0
    if let ageing, ageingRows > 0 {
      let height = max(Self.height, 70 + Double(ageingRows) * Self.pixelsOfRow)
      insert(try types(ageing), into: writer, below: 0, isLeft: true, height: height)
      insert(try ages(ageing), into: writer, below: 0, isLeft: false)
      below = max(Self.rows, UInt32(height / Self.pixelsOfRow) + 2)
    }
    for (place, chart) in charts.enumerated() {
      let isLeft = place % 2 == 0
      if isLeft, place > 0 { below += Self.rows }
      if isLeft, writer.row + below + Self.rows > (breaks.last ?? 0) + Self.rowsOfPage {
        breaks.append(writer.row + below)
      }
      insert(chart, into: writer, below: below, isLeft: isLeft)
    }
    return breaks
  }

  private func insert(
    _ chart: UnsafeMutablePointer<lxw_chart>, into writer: SheetWriter, below rows: UInt32, isLeft: Bool,
    height: Double = height
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
    for (name, column, color) in [("Captured", "C", Self.blue), ("Provider fees", "F", Self.orange)] {
      add(
        name, color, to: chart, categories: "=Summary!$A$\(rows.lowerBound + 1):$A$\(rows.upperBound)",
        values: "=Summary!$\(column)$\(rows.lowerBound + 1):$\(column)$\(rows.upperBound)")
    }
    chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_BOTTOM.rawValue))
    chart_axis_set_num_format(chart.pointee.y_axis, "#,##0")
    var line = lxw_chart_line()
    line.color = Self.grey
    line.width = 0.75
    chart_axis_major_gridlines_set_line(chart.pointee.y_axis, &line)
    return chart
  }

  private func types(_ table: SheetPlan.Table) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    let chart = try workbook.addChart(LXW_CHART_BAR, title: "Open discrepancies by type")
    add("Cases", Self.blue, to: chart, categories: cells(table, "type"), values: cells(table, "cases"))
    // The worst at the top, as in the tables.
    chart_axis_set_reverse(chart.pointee.y_axis)
    countBars(chart, values: chart.pointee.x_axis)
    return chart
  }

  /// The sums below the ageing table.
  private func ages(_ table: SheetPlan.Table) throws(ReportError) -> UnsafeMutablePointer<lxw_chart> {
    let chart = try workbook.addChart(LXW_CHART_COLUMN, title: "How long they have been open")
    let (first, last) = (
      CellAddress.letters(table.places["days_1"] ?? 0), CellAddress.letters(table.places["days_more"] ?? 0)
    )
    let (heading, sums) = (table.headingRow + 1, table.firstRow + ageingRows + 2)
    let sheet = CellAddress.sheet(table.report.sheet.name)
    add(
      "Cases", Self.blue, to: chart, categories: "=\(sheet)$\(first)$\(heading):$\(last)$\(heading)",
      values: "=\(sheet)$\(first)$\(sums):$\(last)$\(sums)")
    countBars(chart, values: chart.pointee.y_axis)
    return chart
  }

  private func cells(_ table: SheetPlan.Table, _ column: String) -> String {
    let letters = CellAddress.letters(table.places[column] ?? 0)
    let (first, last) = (table.firstRow + 1, table.firstRow + ageingRows)
    return "=\(CellAddress.sheet(table.report.sheet.name))$\(letters)$\(first):$\(letters)$\(last)"
  }

  /// For small whole numbers: each bar shows its number, and there is no axis beside it.
  private func countBars(_ chart: UnsafeMutablePointer<lxw_chart>, values axis: UnsafeMutablePointer<lxw_chart_axis>?) {
    chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
    chart_series_set_labels(chart.pointee.series_list.pointee.stqh_first)
    chart_axis_major_gridlines_set_visible(axis, UInt8(LXW_FALSE.rawValue))
    chart_axis_off(axis)
  }

  private func add(
    _ name: String, _ color: lxw_color_t, to chart: UnsafeMutablePointer<lxw_chart>, categories: String, values: String
  ) {
    let series = chart_add_series(chart, categories, values)
    chart_series_set_name(series, name)
    var fill = lxw_chart_fill()
    fill.color = color
    chart_series_set_fill(series, &fill)
  }
}
