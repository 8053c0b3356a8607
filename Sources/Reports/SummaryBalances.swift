extension SummarySheet {
  /// The balances of the platform's accounts in short; each movement is on the sheet Roll-forward.
  func balances() throws(ReportError) {
    guard !figures.balances.isEmpty else { return }
    try block(
      "Roll-forward: opening + movements = closing, and what the provider states at the end; by kind on the sheet "
        + "Roll-forward",
      ["Provider", "Currency"], figures: ["Opening", "Movements", "Closing", "Stated", "Difference"], last: "Control")
    for line in figures.balances {
      let (row, digits) = (writer.row + 1, line.currency.digits)
      writer.link(
        [line.provider, line.account].filter { !$0.isEmpty }.joined(separator: " "), to: "#'Roll-forward'!A1")
      writer.text(line.currency.code)
      for amount in [line.opening, line.moved] { writer.amount(amount, digits: digits) }
      writer.formula(
        "=ROUND($C\(row)+$D\(row),\(digits))", value: CellNumber.major(line.closing, digits: digits),
        styles.amounts[digits])
      if let stated = line.stated {
        writer.amount(stated, digits: digits)
        writer.formula(
          "=ROUND($F\(row)-$E\(row),\(digits))", value: CellNumber.major(stated &- line.closing, digits: digits),
          styles.amounts[digits])
      } else {
        for _ in 0..<2 { writer.blank(styles.text) }
      }
      let holds = line.opening &+ line.moved == line.closing && line.stated ?? line.closing == line.closing
      writer.text(holds ? Self.tiesOut : Self.tiesNot, holds ? styles.text : styles.bad)
      try writer.endRow()
    }
    try writer.endRow()
  }
}
