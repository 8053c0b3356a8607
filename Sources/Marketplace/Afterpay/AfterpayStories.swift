/// Simulates an Afterpay merchant account: one region, one currency.
///
/// Not plantable here: everything about sellers and commissions, refunds that fail or wait (a refund is final at once),
/// `dispute_inquiry` and `dispute_won_unreturned` (disputes move money in rows of a kind that is not documented),
/// `approval_stuck` (the list holds approved payments only), and `payout_mismatch`, `payout_failed`, `balance_mismatch`
/// (no payouts or balances are stated beside the rows).
final class AfterpayStories: DirectAccount {
  let account: AccountPlan
  let book: OrderBook
  var dice: SeededRandom
  let ledger: AfterpayLedger
  /// The record behind each payment, by id.
  var records: [String: AfterpayPaymentRecord] = [:]

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    let seed = account.seed(book.plan.seed)
    dice = SeededRandom(seed: seed)
    let region = Int64(account.id) ?? 1
    ledger = AfterpayLedger(
      dice: SeededRandom(seed: seed ^ 0x4146_5445_5250), currency: account.currencies[0],
      firstID: 100_000_000_000 + region % 1_000 * 1_000_000_000)
  }

  var types: [FaultType] {
    [
      .missingPayment, .missingOrder, .amountMismatch, .currencyMismatch, .duplicatePayment, .ambiguousMatch,
      .capturedAfterCancel,
      .missingRefund, .unrecordedRefund, .refundAmountMismatch, .overRefunded, .possibleDuplicateRefund,
      .authorisationUncaptured, .disputeOpened, .disputeLost, .settlementOverdue, .unsettledRefund, .orphanSettlement,
      .settlementRowBroken, .providerFeeDeviation, .unknownRecordType, .recordChanged, .lateRecord,
    ]
  }

  func take(_ terms: DirectTerms) -> DirectPayment {
    let made = ledger.authorise(terms.amount, at: terms.at, reference: terms.orderID ?? "chk_\(dice.letters(14))")
    ledger.capture(terms.amount, of: made, at: terms.at, isReported: !dice.chance(10))
    made.isCashAppPay = account.currencies[0] == "usd" && dice.chance(15)
    return payment(made, captured: terms.amount)
  }

  /// A payment as the shared stories see it.
  func payment(_ made: AfterpayPaymentRecord, captured: Int64) -> DirectPayment {
    records[made.id] = made
    return DirectPayment(
      id: made.id, at: made.at, currency: ledger.currency, captured: captured, references: [made.token])
  }

  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64) -> String {
    guard let made = records[payment.id] else { return "" }
    return ledger.refund(amount, of: made, at: instant).0.id
  }

  func begin() { ledger.night = night }

  func settle(_ quotas: [FaultType: Int]) {}

  func ordinarySale() {
    if night == 1, dice.chance(8) { return captureLater() }
    let sale = sell(terms(night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800)))
    guard dice.chance(12), sale.payment.at < plan.end(of: night) - 2 * Season.day else { return }
    refund(
      sale, dice.chance(50) ? sale.payment.captured : part(sale, 8...60),
      at: sale.payment.at + dice.number(3_600...86_400))
  }

  /// The deferred flow: authorised first, captured in full days later.
  private func captureLater() {
    let terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, at: terms.at, reference: order.id)
    ledger.capture(terms.amount, of: made, at: terms.at + dice.number(3_600...3 * 86_400))
  }
}
