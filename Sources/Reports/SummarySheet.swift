import Payments

/// The first sheet: shows on one screen whether the night ties out.
struct SummarySheet {
  let writer: SheetWriter
  private let summary: RunSummary
  var figures: SummaryFigures { summary.figures }
  var styles: WorkbookStyles { writer.styles }
  var lastDay: BusinessDay { summary.range.lastDay }

  init(_ workbook: Workbook, summary: RunSummary) throws(ReportError) {
    writer = try SheetWriter(workbook, name: "Summary")
    self.summary = summary
    writer.hideGrid()
    writer.setWidth(24.5, column: 0)
    writer.setWidth(9, column: 1)
    writer.setWidth(11.5, column: 2, through: 15)
    writer.setWidth(17, column: Self.controlColumn)
    writer.setZoom(85)
    writer.freezeHeading()
  }

  /// - Parameter omissions: what detail sheets leave out, one sentence each.
  func write(omissions: [String], plan: SheetPlan, links: LinkIndex, charts: SummaryCharts) throws(ReportError) {
    let formulas = SummaryFormulas(plan: plan)
    try head(formulas)
    let totals = try totals(formulas)
    try severities(formulas, links)
    try worst(links)
    try changes(formulas)
    try proofs()
    try matches()
    try balances()
    try tieOut()
    try converted(totals)
    try notes(omissions)
    let breaks = try charts.insert(into: writer, totals: totals, figures: figures, plan: plan)
    writer.setPrint(scale: 60, breaksBefore: breaks)
  }

  /// Requests the rows of other sheets that this one links to; must run before they are written.
  func ask(_ links: LinkIndex) {
    links.ask(report: "discrepancies", column: "severity", values: figures.severities.map(\.severity))
    links.ask(report: "discrepancies", column: "discrepancy_id", values: figures.worst.map(\.discrepancyID))
  }

  private func head(_ formulas: SummaryFormulas) throws(ReportError) {
    writer.setHeight(24)
    try writer.row(["Reconciliation \(summary.days)"], styles.title)
    try writer.row(["Business days are in \(summary.timeZone); timestamps are in UTC."], styles.note)
    try writer.endRow()
    writer.text("Verdict", styles.subtitle)
    writer.text(summary.verdict.rawValue, verdictStyle)
    writer.blank(verdictStyle)
    try writer.endRow()
    try control(formulas)
    for reason in summary.reasons { try writer.row(["", Prose.text(reason)], styles.text) }
    try writer.endRow()
  }

  /// Combines the control cells of all lines.
  private func control(_ formulas: SummaryFormulas) throws(ReportError) {
    guard !figures.totals.isEmpty else { return }
    // Below it are the reasons, a blank row, and the title and the heading of the figures.
    let first = Int(writer.row) + 1 + summary.reasons.count + 3
    let holds = figures.totals.allSatisfy { $0.stated == $0.balanceChange }
    writer.text("Control", styles.subtitle)
    writer.formula(
      formulas.allTie(rows: first..<first + figures.totals.count), value: holds ? Self.tiesOut : Self.tiesNot,
      styles.text)
    writer.highlightUnless(Self.tiesOut, look: .bad, row: writer.row, column: 1)
    try writer.endRow()
  }

  private var verdictStyle: CellStyle {
    switch summary.verdict {
    case .clean: styles.good
    case .discrepancies: styles.bad
    case .incomplete: styles.warning
    }
  }

  /// The day's figures; each is a formula over the entries, with the run's value as its result.
  ///
  /// - Returns: the rows of the figures, counted from 0.
  private func totals(_ formulas: SummaryFormulas) throws(ReportError) -> Range<Int> {
    try block(
      "Figures of the range: sums over the entries booked in it. Kept − paid out + exchange + reserves + adjustments + "
        + "unclassified = change of the balance at the provider.",
      ["Provider", "Currency"],
      figures: [
        "Captured", "Refunded", "Disputed", "Provider fees", "Transferred", "Commission", "Kept", "Paid out",
        "Exchange", "Reserves", "Adjustments", "Unclassified", "Balance change", "Provider's rows",
      ], last: "Control")
    let first = Int(writer.row)
    for total in figures.totals {
      let row = Int(writer.row) + 1
      let (digits, style) = (total.currency.digits, styles.amounts[total.currency.digits])
      writer.link(total.provider, to: formulas.entries)
      writer.text(total.currency.code)
      for (amount, formula) in zip(total.amounts, formulas.totals(row: row, digits: digits)) {
        writer.formula(formula, value: CellNumber.major(amount, digits: digits), style)
      }
      writer.amount(total.stated, digits: digits)
      let holds = total.stated == total.balanceChange
      writer.formula(formulas.control(row: row), value: holds ? Self.tiesOut : Self.tiesNot, styles.text)
      writer.highlightUnless(Self.tiesOut, look: .bad, row: writer.row, column: Self.controlColumn)
      try writer.endRow()
    }
    try close(isEmpty: figures.totals.isEmpty, "No entry was booked in the range.")
    return first..<first + figures.totals.count
  }

  /// The column of the figures' control cells.
  private static let controlColumn = 16
  static let tiesOut = "ties out"
  static let tiesNot = "DOES NOT TIE OUT"

  private func matches() throws(ReportError) {
    try block("Orders and payments by status", ["Match"], figures: ["Cases"])
    for (status, cases) in figures.matches.sorted(by: { $0.key < $1.key }) {
      writer.text(status)
      writer.integer(cases)
      try writer.endRow()
    }
    try close(isEmpty: figures.matches.isEmpty, "No order was placed in the range, and no payment was active in it.")
  }

  private func severities(_ formulas: SummaryFormulas, _ links: LinkIndex) throws(ReportError) {
    try block(
      "Discrepancies by severity", ["Severity"],
      figures: [
        "Open", "New",
        "Carried forward", "Decided", "Resolved",
      ])
    for line in figures.severities {
      let row = Int(writer.row) + 1
      let first = links.address(report: "discrepancies", column: "severity", value: line.severity)
      writer.link(line.severity, to: first ?? formulas.discrepancies)
      for (count, formula) in zip(
        [line.open, line.new, line.persisting, line.decided, line.resolved], formulas.severities(row: row))
      {
        writer.formula(formula, value: Double(count), styles.integer)
      }
      try writer.endRow()
    }
    try close(isEmpty: figures.severities.isEmpty, "None.")
    guard !figures.owners.isEmpty else { return }
    try block("Open discrepancies by owner", ["Owner"], figures: ["Open"])
    for line in figures.owners {
      let row = Int(writer.row) + 1
      writer.text(line.owner.isEmpty ? "Unassigned" : line.owner)
      writer.formula(formulas.owner(row: row, isNobody: line.owner.isEmpty), value: Double(line.cases), styles.integer)
      try writer.endRow()
    }
    try writer.endRow()
  }

  /// Differences from the day before the range.
  private func changes(_ formulas: SummaryFormulas) throws(ReportError) {
    let (new, resolved) = (
      figures.severities.reduce(0) { $0 + $1.new }, figures.severities.reduce(0) { $0 + $1.resolved }
    )
    try block(
      "Since the day before the range: \(new) new, \(resolved) resolved, "
        + "\(figures.severities.reduce(0) { $0 + $1.persisting }) carried forward"
        + (figures.passed > 0 ? ", \(figures.passed) came and went (sheet Opened and cleared)" : ""),
      figures.changes.isEmpty ? [] : ["Type", "Severity"], figures: figures.changes.isEmpty ? [] : ["New", "Resolved"])
    for line in figures.changes.prefix(Self.mostChanges) {
      let row = Int(writer.row) + 1
      writer.text(Prose.title(line.type))
      writer.text(line.severity)
      for (count, formula) in zip([line.new, line.resolved], formulas.changes(row: row)) {
        writer.formula(formula, value: Double(count), styles.integer)
      }
      try writer.endRow()
    }
    let more = figures.changes.count - Self.mostChanges
    if more > 0 {
      try writer.row(["and \(more) more types: filter by State on the sheet Discrepancies"], styles.note)
    }
    try writer.endRow()
  }

  /// How many types the list of changes shows.
  private static let mostChanges = 8

  private func worst(_ links: LinkIndex) throws(ReportError) {
    guard !figures.worst.isEmpty else { return }
    try block("Top priorities", ["Type", "Severity", "What it is"], through: Self.controlColumn)
    for line in figures.worst {
      if let row = links.address(report: "discrepancies", column: "discrepancy_id", value: line.discrepancyID) {
        writer.link(Prose.title(line.type), to: row)
      } else {
        writer.text(Prose.title(line.type))
      }
      try writer.row([line.severity, Prose.text(line.explanation)], styles.text)
    }
    try writer.endRow()
  }

  private func tieOut() throws(ReportError) {
    guard !figures.tieOut.isEmpty else { return }
    try block(
      "Tie-out to the end of the range: captured − tender = explained by discrepancies + pending + within tolerance + "
        + "residual",
      ["Provider", "Currency"],
      figures: ["Captured", "Tender", "Difference", "Explained", "Pending", "In tolerance", "Residual"], last: "Control"
    )
    for line in figures.tieOut {
      writer.text([line.provider, line.account].filter { !$0.isEmpty }.joined(separator: " "))
      writer.text(line.currency.code)
      let (row, digits) = (writer.row + 1, line.currency.digits)
      let formulas = [
        2: "=ROUND($C\(row)-$D\(row),\(digits))", 6: "=ROUND($E\(row)-$F\(row)-$G\(row)-$H\(row),\(digits))",
      ]
      for (place, amount) in line.amounts.enumerated() {
        let value = CellNumber.major(amount, digits: digits)
        if let formula = formulas[place] {
          writer.formula(formula, value: value, styles.amounts[digits])
        } else {
          writer.amount(amount, digits: digits)
        }
      }
      writer.text(line.holds ? Self.tiesOut : Self.tiesNot, line.holds ? styles.text : styles.bad)
      try writer.endRow()
    }
    try writer.endRow()
  }

  private func proofs() throws(ReportError) {
    let failing = figures.proofs.filter { $0.failing > 0 }
    guard !figures.proofs.isEmpty else { return }
    try block("Failed proofs", ["Proof", "Currency", "Provider"], figures: ["Lines", "Failed"])
    if !failing.isEmpty { try writer.row([Self.whyBoth], styles.note) }
    for line in failing {
      for word in [line.proof, line.currency, line.provider] { writer.text(word) }
      writer.integer(line.lines)
      writer.integer(line.failing)
      try writer.endRow()
    }
    try close(isEmpty: failing.isEmpty, "Every proof passed.")
  }

  /// Explains how a line can tie out while a proof does not hold.
  static let whyBoth =
    "A line that ties out agrees with the provider's rows of the range. A proof also compares each payment, fee, "
    + "payout and stated balance up to the range's end."

  private func notes(_ omissions: [String]) throws(ReportError) {
    guard !omissions.isEmpty else { return }
    try block("Limits of the sheets", [])
    for omission in omissions { try writer.row([omission], styles.text) }
  }

  /// A block's title and heading; `last` comes after the figures, and blank heading cells extend up to a column.
  func block(
    _ title: String, _ words: [String], figures: [String] = [], last: String? = nil, through: Int? = nil
  ) throws(ReportError) {
    try writer.row([title], styles.subtitle)
    if figures.contains(where: { $0.count > Self.longestHeading }) { writer.setHeight(30) }
    for heading in words { writer.heading(heading, isFigure: false) }
    for heading in figures { writer.heading(heading, isFigure: true) }
    if let last { writer.heading(last, isFigure: false) }
    if let through { while writer.column <= through { writer.blank(styles.heading) } }
    if !words.isEmpty { try writer.endRow() }
  }

  /// How many characters of a heading fit on one line.
  private static let longestHeading = 12

  private func close(isEmpty: Bool, _ sentence: String) throws(ReportError) {
    if isEmpty { try writer.row([sentence], styles.note) }
    try writer.endRow()
  }
}

extension SummaryFigures.Totals {
  /// In the order of the columns.
  var amounts: [Int64] {
    [
      captured, refunded, disputed, fees, transferred, commission, kept, paidOut, exchange, reserves, adjustments,
      unclassified, balanceChange,
    ]
  }

  /// The amount by which the entries change the balance at the provider; the terms are sums that the store could hold.
  var balanceChange: Int64 { kept &- paidOut &+ exchange &+ reserves &+ adjustments &+ unclassified }
}

extension SummaryFigures.TieOut {
  /// In the order of the columns; captured less tender cannot wrap where both fit a store.
  var amounts: [Int64] { [captured, tender, captured &- tender, discrepancies, pending, withinTolerance, residual] }
}
