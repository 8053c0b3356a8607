import Payments

extension RunSummary {
  /// One line for a log: verdict, range, counts, location of the reports.
  package var line: String {
    let cases = figures.matches.values.reduce(0, +)
    let parts = [
      "\(verdict.rawValue)", days, "\(figures.matches["matched"] ?? 0) of \(cases) matched",
      "\(figures.openDiscrepancies) open discrepancies",
    ]
    return parts.joined(separator: ", ") + (location.map { ": \($0)" } ?? "")
  }

  /// The full summary for people: readable in ten seconds, no wider than its amounts require.
  package var text: String {
    var lines = ["Reconciliation \(days) (\(timeZone)): \(verdict.rawValue.uppercased())"]
    lines += reasons.map { "  \($0)" }
    lines += section("", totals)
    lines += section("Orders and payments: ", [matchLine])
    lines += section("Discrepancies: ", [severityLine])
    lines += figures.worst.map { "  \($0.severity) \($0.type): \(Prose.text($0.explanation))" }
    if let location { lines += ["", "Reports: \(location)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    guard let first = lines.first else { return [] }
    return ["", title + first] + lines.dropFirst()
  }

  private var totals: [String] {
    if figures.totals.isEmpty { return ["No entry was booked in the range."] }
    let heading = ["", "", "captured", "refunded", "disputed", "fees", "transferred", "commission", "kept", "paid out"]
    let rows = figures.totals.map { total in
      [total.provider, total.currency.code]
        + total.amounts.prefix(heading.count - 2).map { Money(amountMinor: $0, currency: total.currency).decimalText }
    }
    return TextTable(rows: [heading] + rows, textColumns: 2).lines
  }

  private var matchLine: String {
    let matched = figures.matches["matched"] ?? 0
    let open = figures.matches.filter { $0.key != "matched" }.sorted { $0.key < $1.key }
    let rest = open.map { "\($0.value) \($0.key.replacing("_", with: " "))" }
    return (["\(matched) matched"] + rest).joined(separator: ", ")
  }

  private var severityLine: String {
    let open = figures.severities.filter { $0.open > 0 }.map { "\($0.open) \($0.severity)" }
    let new = figures.severities.reduce(0) { $0 + $1.new }
    let decided = figures.severities.reduce(0) { $0 + $1.decided }
    let resolved = figures.severities.reduce(0) { $0 + $1.resolved }
    let rest = [
      new > 0 ? "\(new) of them new" : nil, decided > 0 ? "\(decided) decided" : nil,
      resolved > 0 ? "\(resolved) resolved" : nil,
    ]
    return ([open.isEmpty ? "none open" : open.joined(separator: ", ")] + rest.compactMap { $0 }).joined(
      separator: "; ")
  }
}

/// Rows of cells as lines of text: words left-aligned, figures right-aligned.
struct TextTable {
  let rows: [[String]]
  /// How many of the first columns contain words.
  let textColumns: Int

  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { index, cell in pad(cell, to: widths[index], isText: index < textColumns) }
      let line = "  " + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func pad(_ cell: String, to width: Int, isText: Bool) -> String {
    let space = String(repeating: " ", count: width - cell.count)
    return isText ? cell + space : space + cell
  }
}
