/// Simulates a PayPal account.
///
/// Not plantable here: everything about sellers and commissions (PayPal's partner fees are no fee objects), `fx_loss`,
/// `fee_sum_mismatch` (a row has one fee), `settlement_overdue`, `payout_mismatch` and `unsettled_refund` (money is in
/// the balance at once), and `approval_stuck` and `payment_failed_after_paid` (the report lists no checkouts, and a
/// pending payment that fails was never captured).
final class PayPalStories: DirectAccount {
  let account: AccountPlan
  let book: OrderBook
  var dice: SeededRandom
  let ledger: PayPalLedger
  /// The capture behind each payment, by id.
  var captures: [String: PayPalCapture] = [:]
  /// How much the stated balance is wrong by, minor units of the account's own currency.
  var misstatement: Int64 = 0

  init(_ account: AccountPlan, _ book: OrderBook) {
    self.account = account
    self.book = book
    dice = SeededRandom(seed: account.seed(book.plan.seed))
    ledger = PayPalLedger(dice: SeededRandom(seed: account.seed(book.plan.seed) ^ 0x5041_5950_414C))
  }

  var types: [FaultType] {
    [
      .missingPayment, .missingOrder, .amountMismatch, .currencyMismatch, .duplicatePayment, .ambiguousMatch,
      .capturedAfterCancel,
      .missingRefund, .unrecordedRefund, .refundAmountMismatch, .overRefunded, .possibleDuplicateRefund,
      .authorisationUncaptured, .refundFailed, .refundPending, .providerFeeDeviation, .disputeOpened, .disputeLost,
      .disputeWonUnreturned, .disputeInquiry, .unknownRecordType, .recordChanged, .lateRecord, .balanceMismatch,
    ]
  }

  func room(for type: FaultType) -> Int? { type == .balanceMismatch ? 1 : nil }

  func take(_ terms: DirectTerms) -> DirectPayment {
    let capture = ledger.capture(
      terms.amount, terms.currency, at: terms.at, names: names(terms.orderID),
      code: dice.pick(["T0006", "T0006", "T0006", "T0003"]))
    return payment(capture)
  }

  /// A capture as the shared stories see it.
  func payment(_ capture: PayPalCapture) -> DirectPayment {
    captures[capture.id] = capture
    return DirectPayment(
      id: capture.id, at: capture.at, currency: capture.currency, captured: capture.amount, references: [capture.order])
  }

  /// Where the shop writes the order's id; without one the fields contain values that only the shop understands.
  func names(_ orderID: String?) -> PayPalNames {
    guard let orderID else {
      return PayPalNames(custom: "{\"shop_id\":\"\(dice.number(1...99))\"}", invoice: "c_\(dice.letters(12))")
    }
    return dice.chance(60) ? PayPalNames(custom: orderID) : PayPalNames(invoice: orderID)
  }

  func giveBack(_ amount: Int64, of payment: DirectPayment, at instant: Int64) -> String {
    guard let capture = captures[payment.id] else { return "" }
    return ledger.refund(amount, of: capture, at: instant).id
  }

  func ordinarySale() {
    if night == 1, dice.chance(6) { return captureByHand() }
    let sale = sell(terms(night > 1 ? .onNight(night) : .beforeEnd(2_400...plan.days * 86_400 - 1_800)))
    guard let capture = captures[sale.payment.id] else { return }
    if dice.chance(8) { ledger.takePartnerFee(max(1, capture.amount / 50), of: capture) }
    guard dice.chance(12), capture.at < plan.end(of: night) - 2 * Season.day else { return }
    refund(sale, dice.chance(50) ? capture.amount : part(sale, 8...60), at: capture.at + dice.number(3_600...86_400))
  }

  /// Authorised first, captured in full one to three days later.
  private func captureByHand() {
    let terms = terms(.beforeEnd(4 * 86_400...plan.days * 86_400 - 1_800))
    let order = order(for: terms)
    let made = ledger.authorise(terms.amount, terms.currency, at: terms.at, names: names(order.id))
    _ = capture(made, terms.amount, at: terms.at + dice.number(3_600...3 * 86_400))
  }

  /// Captures an authorisation, or a part of it.
  func capture(_ authorisation: PayPalAuthorisation, _ amount: Int64, at instant: Int64, isFinal: Bool = true)
    -> DirectPayment
  {
    let capture = ledger.capture(
      amount, authorisation.currency, at: instant, names: authorisation.names, of: authorisation)
    capture.isFinal = isFinal
    authorisation.status = isFinal ? "CAPTURED" : "PARTIALLY_CAPTURED"
    authorisation.updatedAt = instant
    authorisation.row.status = isFinal ? "S" : "P"
    return payment(capture)
  }
}
