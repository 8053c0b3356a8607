import Payments

extension SummarySheet {
  /// The figures in the reporting currency, marked as converted, with the rate of each line.
  ///
  /// - Parameter totals: the rows of the figures, counted from 0.
  func converted(_ totals: Range<Int>) throws(ReportError) {
    guard let converted = figures.converted, !figures.totals.isEmpty else { return }
    let code = converted.currency.code
    try block(
      """
      Converted to \(code) at the rates of \(converted.source): for orientation only, no proof uses a converted amount
      """,
      ["Provider", "Currency"],
      figures: [
        "Captured", "Refunded", "Disputed", "Provider fees", "Transferred", "Commission", "Kept", "Paid out", "Rate",
      ],
      last: "Rate of")
    let first = writer.row + 1
    var sums = [Int64](repeating: 0, count: Self.convertedFigures)
    for (place, line) in figures.totals.enumerated() {
      try write(line, figuresRow: totals.lowerBound + place + 1, converted, adding: &sums)
    }
    let digits = converted.currency.digits
    writer.text("All, converted")
    writer.text(code)
    for (place, sum) in sums.enumerated() {
      let letters = CellAddress.letters(2 + place)
      writer.formula(
        "=ROUND(SUM(\(letters)\(first):\(letters)\(writer.row)),\(digits))",
        value: CellNumber.major(sum, digits: digits), styles.amounts[digits])
    }
    try writer.endRow()
    try writer.endRow()
  }

  /// How many of the figures are converted: those from Captured to Paid out.
  private static let convertedFigures = 8

  private func write(
    _ line: SummaryFigures.Totals, figuresRow: Int, _ converted: ConvertedTotals, adding sums: inout [Int64]
  ) throws(ReportError) {
    let (row, digits) = (writer.row + 1, converted.currency.digits)
    writer.text(line.provider)
    writer.text(line.currency.code)
    guard let rate = converted.rates[line.currency.code] else {
      return try writer.row(["no rate up to \(lastDay): not converted, and not in the sum"], styles.note)
    }
    let values = line.amounts.prefix(Self.convertedFigures).compactMap { converted.convert($0, from: line.currency) }
    guard values.count == Self.convertedFigures else {
      return try writer.row(["beyond 64 bits at this rate: not converted, and not in the sum"], styles.note)
    }
    for (place, value) in values.enumerated() {
      sums[place] = sums[place] &+ value
      writer.formula(
        "=ROUND(\(CellAddress.letters(2 + place))\(figuresRow)*$K\(row),\(digits))",
        value: CellNumber.major(value, digits: digits), styles.amounts[digits])
    }
    let literal = Money.decimalText(rate.rate.unscaled, digits: rate.rate.digits)
    writer.number(Double(literal) ?? 0, styles.rate)
    writer.text(rate.day.map { "\($0)" } ?? "")
    try writer.endRow()
  }
}
