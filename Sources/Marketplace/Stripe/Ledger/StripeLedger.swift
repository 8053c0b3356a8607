/// The platform's side of a Stripe account while the stories of a market unfold: objects are made here, and money moves
/// here.
///
/// It knows Stripe's documented behaviour (docs/providers/stripe.md section 3) and nothing of the program that is
/// tested with it.
final class StripeLedger {
  var dice: SeededRandom
  private var made = 0
  /// The night from which what happens now can be seen.
  var night = 1

  private(set) var intents: [IntentRecord] = []
  private(set) var charges: [ChargeRecord] = []
  private(set) var rows: [RowRecord] = []
  private(set) var transfers: [TransferRecord] = []
  private(set) var fees: [FeeRecord] = []
  private(set) var refunds: [RefundRecord] = []
  private(set) var disputes: [DisputeRecord] = []
  var payouts: [PayoutRecord] = []

  init(dice: SeededRandom) {
    self.dice = dice
  }

  /// A fresh id, e.g. `ch_3Q00000aX…`.
  func id(_ prefix: String) -> String {
    made += 1
    let number = String(made, radix: 36)
    return "\(prefix)_3Q\(String(repeating: "0", count: 6 - number.count))\(number)\(dice.letters(10))"
  }

  func makeIntent(_ terms: Terms, shopper: Shopper) -> IntentRecord {
    let intent = IntentRecord(
      id: id("pi"), created: terms.at, amount: terms.amount, currency: terms.tender.presentment, shopper: shopper,
      night: night)
    intent.method = terms.method
    intent.orderID = terms.metadataOrderID
    intent.transferGroup = terms.transferGroup
    intent.captureMethod = terms.capture == .atOnce ? "automatic_async" : "manual"
    terms.split.ask(of: intent, seller: terms.seller)
    intents.append(intent)
    return intent
  }

  func makeCharge(for intent: IntentRecord, at instant: Int64) -> ChargeRecord {
    let charge = ChargeRecord(
      id: id(intent.method.isCard ? "ch" : "py"), created: instant, amount: intent.amount, currency: intent.currency,
      intent: intent.id, shopper: intent.shopper, night: night)
    charge.method = intent.method
    charge.orderID = intent.orderID
    charge.destination = intent.destination
    charge.transferAmount = intent.transferAmount
    charge.applicationFee = intent.applicationFee
    charge.transferGroup = intent.transferGroup
    intent.latestCharge = charge.id
    charges.append(charge)
    return charge
  }

  /// Books a row; its net moves the balance.
  @discardableResult
  func book(
    _ type: String, _ category: String, source: String?, _ amount: Int64, _ currency: String, at instant: Int64,
    fee: Int64 = 0
  ) -> RowRecord {
    let row = RowRecord(
      id: id("txn"), created: instant, type: type, category: category, source: source, currency: currency,
      amount: amount,
      fee: fee, night: night)
    rows.append(row)
    return row
  }

  func makeTransfer(
    _ amount: Int64, _ currency: String, to destination: String, source: String?, at instant: Int64
  ) -> TransferRecord {
    let transfer = TransferRecord(
      id: id("tr"), created: instant, amount: amount, currency: currency, destination: destination, source: source,
      night: night)
    transfer.row = book("transfer", "transfer", source: transfer.id, -amount, currency, at: instant).id
    transfers.append(transfer)
    return transfer
  }

  /// Takes money back from a connected account.
  @discardableResult
  func reverse(_ transfer: TransferRecord, _ amount: Int64, at instant: Int64, refund: String? = nil) -> ReversalRecord
  {
    let row = book("transfer_refund", "transfer_reversal", source: transfer.id, amount, transfer.currency, at: instant)
    let reversal = ReversalRecord(
      id: id("trr"), parent: transfer.id, created: instant, amount: amount, currency: transfer.currency, row: row.id,
      refund: refund, night: night)
    transfer.reversals.append(reversal)
    return reversal
  }

  func makeFee(_ amount: Int64, of charge: ChargeRecord, account: String, tender: Tender, at instant: Int64)
    -> FeeRecord
  {
    let id = id("fee")
    let row = book(
      "application_fee", "platform_earning", source: id, tender.settled(amount), tender.settlement, at: instant)
    row.rate = tender.rateText
    let fee = FeeRecord(
      id: id, created: instant, amount: amount, currency: charge.currency, account: account, charge: charge.id,
      connectedCharge: "py_\(id.dropFirst(4))", row: row.id, night: night)
    charge.fee = id
    fees.append(fee)
    return fee
  }

  /// Gives a commission back to the connected account.
  @discardableResult
  func giveBack(_ fee: FeeRecord, _ amount: Int64, at instant: Int64) -> ReversalRecord {
    let row = book(
      "application_fee_refund", "platform_earning_refund", source: fee.id, -amount, fee.currency, at: instant)
    let refund = ReversalRecord(
      id: id("fr"), parent: fee.id, created: instant, amount: amount, currency: fee.currency, row: row.id, refund: nil,
      night: night)
    fee.refunds.append(refund)
    return refund
  }

  func makeRefund(_ amount: Int64, of charge: ChargeRecord, at instant: Int64) -> RefundRecord {
    let refund = RefundRecord(
      id: id("re"), created: instant, amount: amount, currency: charge.currency, charge: charge.id,
      intent: charge.intent,
      night: night)
    refunds.append(refund)
    return refund
  }

  func makeDispute(_ amount: Int64, of charge: ChargeRecord, status: String, at instant: Int64) -> DisputeRecord {
    let dispute = DisputeRecord(
      id: id("dp"), created: instant, amount: amount, charge: charge, status: status, night: night)
    disputes.append(dispute)
    return dispute
  }
}
