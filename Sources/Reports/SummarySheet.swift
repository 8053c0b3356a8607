import Payments

/// The first sheet: on one screen whether the night ties out.
struct SummarySheet {
  private let writer: SheetWriter
  private let summary: RunSummary
  private var figures: SummaryFigures { summary.figures }
  private var styles: WorkbookStyles { writer.styles }

  init(_ workbook: Workbook, summary: RunSummary) throws(ReportError) {
    writer = try SheetWriter(workbook, name: "Summary")
    self.summary = summary
    writer.hideGrid()
    writer.setWidth(27, column: 0)
    writer.setWidth(15, column: 1, through: 10)
  }

  /// - Parameter omissions: what detail sheets leave out, a sentence each.
  func write(omissions: [String]) throws(ReportError) {
    try head()
    try totals()
    try matches()
    try severities()
    try worst()
    try tieOut()
    try proofs()
    try types()
    try notes(omissions)
  }

  private func head() throws(ReportError) {
    writer.setHeight(24)
    try writer.row(["Reconciliation \(summary.days)"], styles.title)
    try writer.row(["Days are cut in \(summary.timeZone); moments in the tables are UTC."], styles.note)
    try writer.endRow()
    writer.text("Verdict", styles.subtitle)
    writer.text(summary.verdict.rawValue, verdictStyle)
    try writer.endRow()
    for reason in summary.reasons { try writer.row(["", reason], styles.text) }
    try writer.endRow()
  }

  private var verdictStyle: CellStyle {
    switch summary.verdict {
    case .clean: styles.good
    case .discrepancies: styles.bad
    case .incomplete: styles.warning
    }
  }

  private func totals() throws(ReportError) {
    try block(
      "Figures of the range: sums over the entries booked in it",
      ["Provider", "Currency"],
      figures: [
        "Captured", "Refunded", "Disputed", "Provider fees", "Transferred", "Commission", "Kept", "Paid out", "Other",
      ])
    for total in figures.totals {
      writer.text(total.provider)
      writer.text(total.currency.code)
      for amount in total.amounts { writer.amount(amount, digits: total.currency.digits) }
      try writer.endRow()
    }
    try close(isEmpty: figures.totals.isEmpty, "No entry was booked in the range.")
  }

  private func matches() throws(ReportError) {
    try block("Orders and payments, by how they stand", ["Match"], figures: ["Cases"])
    for (status, cases) in figures.matches.sorted(by: { $0.key < $1.key }) {
      writer.text(status)
      writer.integer(cases)
      try writer.endRow()
    }
    try close(isEmpty: figures.matches.isEmpty, "No order was placed in the range, and no payment was active in it.")
  }

  private func severities() throws(ReportError) {
    try block("Discrepancies by severity", ["Severity"], figures: ["Open", "of them new", "persisting", "Decided", "Resolved"])
    for line in figures.severities {
      writer.text(line.severity)
      for count in [line.open, line.new, line.persisting, line.decided, line.resolved] { writer.integer(count) }
      try writer.endRow()
    }
    try close(isEmpty: figures.severities.isEmpty, "None.")
  }

  private func worst() throws(ReportError) {
    guard !figures.worst.isEmpty else { return }
    try block("Look at these first", ["Type", "Severity", "What is wrong"])
    for line in figures.worst { try writer.row([line.type, line.severity, line.explanation], styles.text) }
    try writer.endRow()
  }

  private func types() throws(ReportError) {
    guard !figures.types.isEmpty else { return }
    try block("Open discrepancies by type", ["Type", "Severity", "Currency"], figures: ["Cases", "Difference"])
    for line in figures.types {
      writer.text(line.type)
      writer.text(line.severity)
      writer.text(line.currency)
      writer.integer(line.cases)
      if let currency = try? Currency(code: line.currency) { writer.amount(line.differenceMinor, digits: currency.digits) }
      try writer.endRow()
    }
    try writer.row(["The difference is summed without signs."], styles.note)
    try writer.endRow()
  }

  private func tieOut() throws(ReportError) {
    guard !figures.tieOut.isEmpty else { return }
    try block(
      "Tie-out to the end of the range: captured − tender = discrepancies + pending + within tolerance + residual",
      ["Provider", "Currency"],
      figures: ["Captured", "Tender", "Difference", "Discrepancies", "Pending", "In tolerance", "Residual"])
    for line in figures.tieOut {
      writer.text([line.provider, line.account].filter { !$0.isEmpty }.joined(separator: " "))
      writer.text(line.currency.code)
      for amount in line.amounts { writer.amount(amount, digits: line.currency.digits) }
      writer.text(line.holds ? "ties out" : "does not tie out", line.holds ? styles.text : styles.bad)
      try writer.endRow()
    }
    try writer.endRow()
  }

  private func proofs() throws(ReportError) {
    let failing = figures.proofs.filter { $0.failing > 0 }
    guard !figures.proofs.isEmpty else { return }
    try block("Proofs that do not hold", ["Proof", "Currency", "Provider"], figures: ["Lines", "Not holding"])
    for line in failing {
      for word in [line.proof, line.currency, line.provider] { writer.text(word) }
      writer.integer(line.lines)
      writer.integer(line.failing)
      try writer.endRow()
    }
    try close(isEmpty: failing.isEmpty, "Every proof holds.")
  }

  private func notes(_ omissions: [String]) throws(ReportError) {
    guard !omissions.isEmpty else { return }
    try block("What the sheets leave out", [])
    for omission in omissions { try writer.row([omission], styles.text) }
  }

  private func block(_ title: String, _ words: [String], figures: [String] = []) throws(ReportError) {
    try writer.row([title], styles.subtitle)
    for heading in words { writer.heading(heading, isFigure: false) }
    for heading in figures { writer.heading(heading, isFigure: true) }
    if !words.isEmpty { try writer.endRow() }
  }

  private func close(isEmpty: Bool, _ sentence: String) throws(ReportError) {
    if isEmpty { try writer.row([sentence], styles.note) }
    try writer.endRow()
  }
}

extension SummaryFigures.Totals {
  /// In the order of the columns.
  var amounts: [Int64] { [captured, refunded, disputed, fees, transferred, commission, kept, paidOut, other] }
}

extension SummaryFigures.TieOut {
  /// In the order of the columns; captured less tender cannot wrap where both fit a store.
  var amounts: [Int64] { [captured, tender, captured &- tender, discrepancies, pending, withinTolerance, residual] }
}
