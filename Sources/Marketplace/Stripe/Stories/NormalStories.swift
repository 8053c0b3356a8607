/// Ordinary traffic, in which nothing must be found.
extension StripeStories {
  /// A typical sale; some are captured by hand, some are refunded.
  func ordinarySale() {
    var terms = terms(night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800))
    guard night > 1 || dice.chance(94) else { return manualCapture() }
    if case .separate = terms.split { terms.transferGroup = dice.chance(50) ? "cart_\(dice.letters(8))" : nil }
    let sale = sell(terms)
    if sale.payment.row != nil, dice.chance(12), terms.at < plan.end(of: night) - 2 * Season.day { refundLater(sale) }
  }

  /// Authorised first, captured in full one to three days later.
  private func manualCapture() {
    var terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800), method: .card)
    terms.capture = .later(seconds: dice.number(3_600...3 * 86_400), amount: terms.amount, inTwoRows: false)
    _ = sell(terms)
  }

  /// One full refund, or one to three partial ones, within two days.
  private func refundLater(_ sale: Sale) {
    let first = sale.terms.at + dice.number(3_600...86_400)
    guard sale.terms.tender.rate == nil || !isCommissioned(sale) else { return }
    if dice.chance(50) {
      refund(sale, sale.payment.captured, at: first)
    } else {
      for number in 0..<dice.number(1...3) {
        refund(sale, part(sale, 8...30) + number * (sale.order.currency == "kwd" ? 10 : 1), at: first + number * 9_000)
      }
    }
  }

  /// A commission in another currency than the ledger's comes back in a third way; such sales are not refunded here.
  private func isCommissioned(_ sale: Sale) -> Bool {
    if case .applicationFee = sale.terms.split { return true }
    return false
  }

  /// Ordinary rows that belong to no payment: monthly fees, tax, a top-up, a bonus for a seller.
  func accountRows() {
    let at = plan.startsAt + 5_400
    let connect = ledger.book("stripe_fee", "fee", source: nil, -4_700, "usd", at: at)
    connect.description = "Connect (2026-02-01 - 2026-02-28): Payout Fee"
    let radar = ledger.book("stripe_fee", "fee", source: nil, -612, "usd", at: at + 60)
    radar.description = "Radar (2026-02-01 - 2026-02-28): Screened Transactions"
    ledger.book("tax_fee", "tax", source: nil, -987, "usd", at: at + 120).description = "VAT on Stripe fees"
    _ = ledger.makeTransfer(2_500, "usd", to: dice.pick(sellers), source: nil, at: at + 7_200)
    let topUp = ledger.book("topup", "topup", source: "tu_\(dice.letters(16))", 9_000, "gbp", at: at + 900)
    topUp.isKeptBack = true
    let manual = ledger.makePayout(5_000, "gbp", isAutomatic: false, at: plan.startsAt + 3 * Season.day)
    ledger.book("stripe_fee", "fee", source: nil, -1_500, "chf", at: at + 1_800).description =
      "Invoicing (2026-02-01 - 2026-02-28)"
    note(
      [.unknownRecordType, .payoutMismatch], [], payments: [manual.id],
      "monthly fees, tax, a top-up, a seller's bonus, a manual payout and a payout that debits the bank")
  }

  /// A payout a day for every currency, some of them wrong as planned.
  func settle(_ quotas: [FaultType: Int]) {
    if night > 1 { return ledger.payOut(onDay: plan.end(of: night - 1)) }
    var (mismatches, failures) = (quotas[.payoutMismatch, default: 0], quotas[.payoutFailed, default: 0])
    for day in 0..<plan.days {
      let first = ledger.payouts.count
      ledger.payOut(onDay: plan.startsAt + day * Season.day)
      let made = dice.shuffled(Array(ledger.payouts[first...])).filter { $0.amount > 0 && $0.lines.count > 1 }
      let wanted = failures > 0 && (day >= 7 || dice.chance(30)) ? min(failures, max(1, made.count - 1)) : 0
      for payout in made.prefix(wanted) {
        plantPayoutFailed(payout)
        failures -= 1
      }
      for payout in made.dropFirst(wanted).prefix(mismatches > 0 ? 1 : 0) {
        plantPayoutMismatch(payout)
        mismatches -= 1
      }
    }
  }
}
