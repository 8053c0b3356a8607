/// The settlement exports of an account: one file a day, and on the second night a week once more in another guise.
struct AfterpaySettlements {
  let currency: String
  let rows: [AfterpaySettledRecord]

  private static let columns = [
    "Settlement Date", "Order Date and Time", "Order Month", "Order Year", "Afterpay Order ID", "Merchant Order ID",
    "Merchant Refund ID",
    "Order Amount", "Settlement Amount", "Merchant Fee excl Tax", "Merchant Fee Tax", "Merchant Fee incl Tax",
    "Net Settlement Amount",
    "Type", "Channel", "Store Name", "Store Id", "Device Name", "Device Id", "Afterpay Refund ID",
    "Refund Date and Time",
    "Acquirer Terminal ID", "Consumer Country",
  ]

  /// The files of a folder by name, of the settlement dates up to an instant.
  func files(until end: Int64, isSecond: Bool) -> [String: String] {
    let due = rows.filter { !$0.isLost && $0.date < end }.sorted {
      $0.date != $1.date ? $0.date < $1.date : $0.order < $1.order
    }
    var files: [String: String] = [:]
    for (date, rows) in Dictionary(grouping: due, by: \.date) {
      files["settlement-\(Moment.date(date)).csv"] = text(rows, Self.columns, newline: "\n")
    }
    if isSecond, let first = due.first?.date {
      // The same rows under another name, in another order of columns, as a spreadsheet writes them.
      let week = due.filter { $0.date < first + 5 * 86_400 }
      files["Settlement Export week.csv"] = "\u{FEFF}" + text(week, Self.columns.reversed(), newline: "\r\n")
    }
    return files
  }

  private func text(_ rows: [AfterpaySettledRecord], _ columns: [String], newline: String) -> String {
    let lines = rows.map { row in
      let cells = cells(of: row)
      return columns.map { quoted(cells[$0] ?? "") }.joined(separator: ",")
    }
    let total = columns.map {
      $0 == "Settlement Date" ? "Total" : $0 == "Net Settlement Amount" ? quoted(sum(rows)) : ""
    }
    return ([columns.joined(separator: ",")] + lines + [total.joined(separator: ",")]).map { $0 + newline }.joined()
  }

  private func sum(_ rows: [AfterpaySettledRecord]) -> String { amount(rows.reduce(0) { $0 + $1.net }) }

  private func cells(of row: AfterpaySettledRecord) -> [String: String] {
    let isSale = row.type == "Order"
    var cells = [
      "Settlement Date": date(row.date),
      "Order Date and Time": date(row.orderAt)
        + Moment.text(row.orderAt).dropFirst(10).prefix(6).replacing("T", with: " "),
      "Order Month": "Mar", "Order Year": "2026", "Afterpay Order ID": row.order, "Merchant Order ID": row.reference,
      "Order Amount": amount(abs(row.gross)), "Settlement Amount": amount(row.gross),
      "Merchant Fee excl Tax": amount(row.fee, isLong: true),
      "Merchant Fee Tax": amount(row.tax, isLong: true),
      "Merchant Fee incl Tax": amount(row.fee + row.tax, isLong: true),
      "Net Settlement Amount": amount(row.net, isLong: true), "Type": row.type, "Channel": "Online",
      "Store Name": isSale ? "Market, Inc" : "", "Consumer Country": currency == "aud" ? "AU" : "US",
    ]
    if let refund = row.refund {
      cells["Afterpay Refund ID"] = refund.id
      cells["Merchant Refund ID"] = "shop-\(refund.id.suffix(4))"
      cells["Refund Date and Time"] = date(refund.at) + " 09:10"
    }
    return cells
  }

  /// Americans begin with the month.
  private func date(_ instant: Int64) -> String {
    let parts = Moment.date(instant).split(separator: "-")
    return currency == "aud" ? "\(parts[2])/\(parts[1])/\(parts[0])" : "\(parts[1])/\(parts[2])/\(parts[0])"
  }

  /// An amount of millionths: a currency sign, commas between thousands, six decimals where there are sub-cents.
  private func amount(_ millionths: Int64, isLong: Bool = false) -> String {
    let magnitude = Int64(millionths.magnitude)
    var whole = String(magnitude / 1_000_000)
    var grouped = ""
    while whole.count > 3 {
      grouped = ",\(whole.suffix(3))\(grouped)"
      whole = String(whole.dropLast(3))
    }
    let rest = String(magnitude % 1_000_000)
    let decimals = String(repeating: "0", count: 6 - rest.count) + rest
    let shown = isLong || !decimals.hasSuffix("0000") ? decimals : String(decimals.prefix(2))
    return "\(millionths < 0 ? "-" : "")$\(whole)\(grouped).\(shown)"
  }

  private func quoted(_ cell: String) -> String {
    cell.contains(",") ? "\"\(cell)\"" : cell
  }
}
