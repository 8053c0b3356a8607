/// How the platform's balance reaches its bank: a payout a day and currency, of the rows that are available by then.
extension StripeLedger {
  /// Pays out every available row of each currency, at four in the morning of the day that begins at that instant.
  ///
  /// A day that nets to less than nothing debits the bank, as Stripe does where the account allows it.
  func payOut(onDay dayStart: Int64) {
    let due = rows.filter { $0.payout == nil && !$0.isKeptBack && $0.night <= night && $0.availableOn <= dayStart }
    for currency in Set(due.map(\.currency)).sorted() {
      let paid = due.filter { $0.currency == currency }
      let amount = paid.reduce(0) { $0 + $1.net }
      if amount != 0 { payOut(paid, amount, currency, at: dayStart + 4 * 3600) }
    }
  }

  private func payOut(_ paid: [RowRecord], _ amount: Int64, _ currency: String, at instant: Int64) {
    let payout = makePayout(amount, currency, isAutomatic: true, at: instant)
    payout.lines = paid.map(\.id)
    for row in paid { row.payout = payout.id }
  }

  /// A payout and its own row.
  func makePayout(_ amount: Int64, _ currency: String, isAutomatic: Bool, at instant: Int64) -> PayoutRecord {
    let payout = PayoutRecord(
      id: id("po"), created: instant, amount: amount, currency: currency, isAutomatic: isAutomatic, night: night)
    let row = book("payout", "payout", source: payout.id, -amount, currency, at: instant)
    row.description = "STRIPE PAYOUT"
    row.availableOn = instant
    row.isKeptBack = true
    payout.row = row
    payouts.append(payout)
    return payout
  }

  /// The bank sends a payout back; a later payout pays the money again.
  func fail(_ payout: PayoutRecord, at instant: Int64) {
    let row = book("payout_failure", "payout_reversal", source: payout.id, payout.amount, payout.currency, at: instant)
    row.description = "REFUND FOR FAILED PAYOUT"
    row.availableOn = instant
    payout.status = "failed"
    payout.failureRow = row.id
  }
}
