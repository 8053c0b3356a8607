/// A settlement detail report as Adyen writes it: one row per movement, columns by name (digest 2.1 and 2.2).
struct AdyenReport {
  let account: AdyenAccount
  /// The night on whose morning it is fetched.
  let night: Int

  /// A column: its header, and what is in it.
  private typealias Column = (header: String, cell: (AdyenRow, AdyenBatch) -> String)

  /// What the file is called; a reordered account's carry the date.
  func name(_ batch: AdyenBatch) -> String {
    let date = account.isReordered ? "_" + Moment.date(batch.closesAt).replacing("-", with: "") : ""
    return "settlement_detail_report_batch_\(batch.number)\(date).csv"
  }

  /// The file's bytes as text.
  func text(_ batch: AdyenBatch) -> String {
    let columns = columns
    let end = account.isReordered ? "\r\n" : "\n"
    var text = account.isReordered ? "\u{FEFF}" : ""
    text += columns.map(\.header).joined(separator: ",") + end
    for row in batch.rows {
      text += columns.map { quoted($0.cell(row, batch)) }.joined(separator: ",") + end
    }
    return text
  }

  private var columns: [Column] {
    var columns = references + amounts + [("Payment Method Variant", { row, _ in row.payment?.method.variant ?? "" })]
    columns.append(("Modification Merchant Reference", { row, _ in row.modificationReference }))
    columns.append(("Batch Number", { _, batch in "\(batch.number)" }))
    columns += (4...10).map { number in ("Reserved\(number)", { _, _ in "" }) }
    columns.append(("Booking Date", { [self] row, batch in account.local(booked(row, batch)).text }))
    columns.append(("Booking Date TimeZone", { [self] row, batch in account.local(booked(row, batch)).zone }))
    guard account.isReordered else { return columns }
    columns = columns.reversed()
    columns.append(("Metadata", { row, _ in row.payment.map { "{\"buyer\":\"\($0.shopper.name)\"}" } ?? "" }))
    columns.append(("Shopper Reference", { row, _ in row.payment?.shopper.email ?? "" }))
    columns.append(("Payment Fees (NC)", { [account] row, _ in Tender.text(row.fees.sum, account.currency) }))
    columns.append(("Merchant Order Reference", { row, _ in row.payment.map { "M-\($0.reference)" } ?? "" }))
    return columns
  }

  private var references: [Column] {
    [
      ("Company Account", { _, _ in "AcmeGroup" }), ("Merchant Account", { [account] _, _ in account.name }),
      ("Psp Reference", { row, _ in row.payment?.psp ?? "" }),
      ("Merchant Reference", { row, _ in row.payment?.reference ?? "" }),
      ("Payment Method", { row, _ in row.payment?.method.rawValue ?? "" }),
      ("Creation Date", { [account] row, _ in account.local(row.createdAt).text }),
      ("TimeZone", { [account] row, _ in account.local(row.createdAt).zone }), ("Type", { row, _ in row.type }),
      ("Modification Reference", { row, _ in row.modification }),
    ]
  }

  private var amounts: [Column] {
    [
      ("Gross Currency", { row, _ in row.payment?.currency.uppercased() ?? "" }),
      ("Gross Debit (GC)", { [self] row, _ in row.payment.map { amount(-row.gross, $0.currency) } ?? "" }),
      ("Gross Credit (GC)", { [self] row, _ in row.payment.map { amount(row.gross, $0.currency) } ?? "" }),
      ("Exchange Rate", { row, _ in row.payment.map { $0.rate?.text ?? "1" } ?? "" }),
      ("Net Currency", { [account] _, _ in account.currency.uppercased() }),
      ("Net Debit (NC)", { [self] row, _ in amount(-row.net, account.currency) }),
      ("Net Credit (NC)", { [self] row, _ in amount(row.net, account.currency) }),
      ("Commission (NC)", { [self] row, _ in fee(row.fees.commission) }),
      ("Markup (NC)", { [self] row, _ in fee(row.fees.markup) }),
      ("Scheme Fees (NC)", { [self] row, _ in fee(row.fees.scheme) }),
      ("Interchange (NC)", { [self] row, _ in fee(row.fees.interchange) }),
    ]
  }

  private func booked(_ row: AdyenRow, _ batch: AdyenBatch) -> Int64 {
    batch.closesAt - 600 - (night > 1 && row.isBookedOtherwiseTomorrow ? 60 : 0)
  }

  /// A positive amount; nothing for the other side's, and `0` where neither has any would be an empty pair.
  private func amount(_ minor: Int64, _ currency: String) -> String {
    minor > 0 ? trimmed(Tender.text(minor, currency)) : ""
  }

  private func fee(_ minor: Int64) -> String {
    minor == 0 ? "" : trimmed(Tender.text(minor, account.currency))
  }

  /// One account's files drop the zeros at the end, e.g. `26.2` and `75`.
  private func trimmed(_ text: String) -> String {
    guard !account.isReordered, text.contains(".") else { return text }
    var text = text
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  private func quoted(_ cell: String) -> String {
    guard cell.contains(where: { ",\"\r\n".contains($0) }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
