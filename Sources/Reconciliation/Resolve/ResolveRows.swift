import Payments

/// Which rows count where several report the same movement.
extension Resolution {
  mutating func pairRows() {
    guard records.rows.contains(where: \.isSecondary) else { return }
    let netRows = Set(records.exactNets.map(\.rowID))
    let settlementRows = netRows.union(records.exactNets.compactMap(\.feeRowID))
    let hasShares = records.rows.contains { $0.isSecondary && !netRows.contains($0.rowID) }
    for (paymentID, rows) in rowsByPayment() {
      pairSettlement(rows, netRows, settlementRows)
      if hasShares { pairShares(paymentID, rows) }
    }
    showPresentments()
  }

  /// The rows by the payment that they name, in the order of the payments' first rows.
  private func rowsByPayment() -> [(Text, [Int])] {
    var order: [Text] = []
    var rows: [Text: [Int]] = [:]
    for (index, row) in records.rows.enumerated() {
      guard let paymentID = row.paymentID else { continue }
      if rows[paymentID] == nil { order.append(paymentID) }
      rows[paymentID, default: []].append(index)
    }
    return order.map { ($0, rows[$0] ?? []) }
  }

  private mutating func pairSettlement(_ rows: [Int], _ netRows: Set<Text>, _ settlementRows: Set<Text>) {
    let settlement = rows.filter { records.rows[$0].isSecondary && netRows.contains(records.rows[$0].rowID) }
    guard !settlement.isEmpty else { return }
    let api = rows.filter { !records.rows[$0].isSecondary && !settlementRows.contains(records.rows[$0].rowID) }
    for pair in SettlementPairing.pairs(settlement: settlement.map(candidate), api: api.map(candidate)) {
      add(Duplicate(row: pair.settlement, original: pair.api))
    }
  }

  private func candidate(_ index: Int) -> SettlementPairing.Candidate {
    let row = records.rows[index]
    return SettlementPairing.Candidate(
      row: index, rowID: row.rowID, recordID: row.recordID, currency: row.currency, amountMinor: row.amountMinor,
      bookedAt: row.bookedAt)
  }

  private mutating func pairShares(_ paymentID: Text, _ rows: [Int]) {
    let candidates = rows.compactMap { index -> SplitPairing.Candidate? in
      let row = records.rows[index]
      guard let kind = row.recordKind, [.payment, .refund, .dispute].contains(kind) else { return nil }
      return SplitPairing.Candidate(
        row: index, kind: kind, recordID: row.recordID, category: row.category, currency: row.currency,
        amountMinor: row.amountMinor,
        feeMinor: row.feeMinor, isShare: row.isSecondary)
    }
    guard candidates.contains(where: \.isShare) else { return }
    let covered = resolve(paymentID) { _ throws(MoneyError) in try SplitPairing.coveredShares(candidates) } ?? []
    for row in covered where !isDuplicate.contains(row) { add(Duplicate(row: row, original: nil)) }
  }

  private mutating func add(_ duplicate: Duplicate) {
    duplicates.append(duplicate)
    isDuplicate.insert(duplicate.row)
  }

  /// For a cross-border sale the API reports only the account's currency; what the customer saw is in the settlement
  /// rows that repeat it.
  private mutating func showPresentments() {
    var repeats: [Int: [Int]] = [:]
    for duplicate in duplicates {
      guard let original = duplicate.original else { continue }
      let row = records.rows[duplicate.row]
      guard row.presentmentMinor != nil, let currency = row.presentmentCurrency, currency != row.currency else {
        continue
      }
      repeats[original, default: []].append(duplicate.row)
    }
    for (original, rows) in repeats.sorted(by: { $0.key < $1.key }) {
      let recordID = records.rows[original].rowID
      if let shown = resolve(recordID, { this throws(MoneyError) in try this.presentment(of: original, rows) }) {
        presentments.append(shown)
      }
    }
  }

  private func presentment(of original: Int, _ rows: [Int]) throws(MoneyError) -> Presentment {
    let row = records.rows[original]
    let repeats = rows.map { records.rows[$0] }
    var sum = CheckedSum()
    for row in repeats { try sum.add(row.presentmentMinor ?? 0) }
    let paymentID = row.paymentID ?? ""
    return Presentment(
      paymentID: paymentID, recordID: row.recordID ?? paymentID, rowID: row.rowID,
      currency: repeats.compactMap(\.presentmentCurrency).min() ?? row.currency, amountMinor: sum.minor,
      exchangeRate: repeats.compactMap(\.exchangeRate).min())
  }
}
