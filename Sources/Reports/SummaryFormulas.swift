/// The formulas of the first sheet: sums over the sheet Entries (or what replaces it) and counts over the sheet
/// Discrepancies.
struct SummaryFormulas {
  let plan: SheetPlan

  var entries: String { "#\(CellAddress.sheet("Entries"))A1" }
  var discrepancies: String { "#\(CellAddress.sheet("Discrepancies"))A1" }

  /// In the order of `SummaryFigures.Totals.amounts`; the row's first two cells are provider and currency.
  func totals(row: Int, digits: Int) -> [String] {
    let account = "\(range("provider")),$A\(row),\(range("currency")),$B\(row)"
    func sum(_ column: String, _ conditions: String = "") -> String {
      "SUMIFS(\(range(column)),\(account)\(conditions))"
    }
    func kind(_ word: String) -> String {
      sum("platform_amount", ",\(range("kind")),\"\(word)\"")
    }
    func with(_ party: String, _ word: String = "*") -> String {
      ["to_party", "from_party"].map { side in
        sum("platform_amount", ",\(range(side)),\"\(party)\",\(range("kind")),\"\(word)\"")
      }.joined(separator: "+")
    }
    let formulas = [
      kind("capture") + "+" + kind("charge_failure"), "-" + kind("refund") + "-" + kind("refund_failure"),
      "-" + kind("dispute") + "-" + kind("dispute_reversal"), "-(" + with("provider") + ")",
      "-" + kind("transfer") + "-" + kind("transfer_reversal"),
      kind("application_fee") + "+" + kind("application_fee_refund"),
      "$C\(row)-$D\(row)-$E\(row)-$F\(row)-$G\(row)+$H\(row)",
      "-(" + with("bank") + "+" + with("other", "payout") + "+" + with("other", "payout_reversal") + ")",
      kind("fx"), kind("reserve"), kind("adjustment") + "-(" + with("provider", "adjustment") + ")",
      kind("other") + "-(" + with("bank", "other") + ")-(" + with("provider", "other") + ")+" + with("other", "fee"),
      "$I\(row)-$J\(row)+$K\(row)+$L\(row)+$M\(row)+$N\(row)",
    ]
    // Sums of cells are sums of doubles: rounding to the currency's digits restores the exact amount.
    return formulas.map { "=ROUND(\($0),\(digits))" }
  }

  /// Whether the entries change the balance by the sum of the provider's own rows.
  func control(row: Int) -> String {
    "=IF($O\(row)=$P\(row),\(CellAddress.quoted(SummarySheet.tiesOut)),\(CellAddress.quoted(SummarySheet.tiesNot)))"
  }

  /// Whether every line of figures ties out.
  func allTie(rows: Range<Int>) -> String {
    let cells = "$Q$\(rows.lowerBound + 1):$Q$\(rows.upperBound)"
    let (ties, tiesNot) = (CellAddress.quoted(SummarySheet.tiesOut), CellAddress.quoted(SummarySheet.tiesNot))
    return "=IF(COUNTIF(\(cells),\(CellAddress.quoted("<>" + SummarySheet.tiesOut)))=0,\(ties),\(tiesNot))"
  }

  /// New and resolved discrepancies of the type and severity in the row's first two cells.
  func changes(row: Int) -> [String] {
    ["new", "resolved"].map { state in
      "=COUNTIFS(\(plan.range("discrepancies", "type")),$A\(row),\(plan.range("discrepancies", "severity")),$B\(row),"
        + "\(plan.range("discrepancies", "state")),\(CellAddress.quoted(state)))"
    }
  }

  /// Open, new, persisting, decided and resolved discrepancies of the severity in the row's first cell.
  func severities(row: Int) -> [String] {
    func count(_ state: String) -> String {
      "COUNTIFS(\(plan.range("discrepancies", "severity")),$A\(row),"
        + "\(plan.range("discrepancies", "state")),\"\(state)\")"
    }
    return [
      "=$C\(row)+$D\(row)", "=" + count("new"), "=" + count("persisting"),
      "=" + count("acknowledged") + "+" + count("written_off"),
      "=" + count("resolved"),
    ]
  }

  /// Open discrepancies of the owner in the row's first cell, or without an owner.
  func owner(row: Int, isNobody: Bool) -> String {
    let owner = isNobody ? "\"=\"" : "$A\(row)"
    let counts = ["new", "persisting"].map { state in
      "COUNTIFS(\(plan.range("discrepancies", "owner")),\(owner),\(plan.range("discrepancies", "state")),\"\(state)\")"
    }
    return "=" + counts.joined(separator: "+")
  }

  private func range(_ column: String) -> String { plan.range("entries", column) }
}
