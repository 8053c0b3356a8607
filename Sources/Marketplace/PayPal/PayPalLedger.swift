/// A PayPal account's balance and what changes it: records are created and money moves here.
///
/// It knows PayPal's documented behaviour (docs/providers/paypal.md sections 2 and 3) and nothing of the program that
/// is tested with it.
final class PayPalLedger {
  var dice: SeededRandom
  var night = 1
  private var made = 0
  private(set) var rows: [PayPalRow] = []
  private(set) var captures: [PayPalCapture] = []
  private(set) var authorisations: [PayPalAuthorisation] = []
  private(set) var refunds: [PayPalRefund] = []
  private(set) var disputes: [PayPalDispute] = []

  init(dice: SeededRandom) {
    self.dice = dice
  }

  /// Seventeen capitals and digits, as PayPal's ids are.
  func id() -> String {
    made += 1
    let number = String(made, radix: 36).uppercased()
    return String(repeating: "0", count: 6 - number.count) + number + dice.letters(11).uppercased()
  }

  /// Books a row of its own id.
  @discardableResult
  func book(
    _ code: String, _ amount: Int64, _ currency: String, at instant: Int64, fee: Int64? = nil,
    about capture: String? = nil,
    id given: String? = nil
  ) -> PayPalRow {
    let row = PayPalRow(given ?? id(), code, at: instant, amount, currency, fee: fee, night: night)
    row.reference = capture.map { ($0, "TXN") }
    rows.append(row)
    return row
  }

  /// Takes a payment: a row in the payer's currency, and a conversion where the account holds none of it.
  func capture(
    _ amount: Int64, _ currency: String, at instant: Int64, names: PayPalNames,
    of authorisation: PayPalAuthorisation? = nil,
    code: String = "T0006", status: String = "S"
  ) -> PayPalCapture {
    let fee = PayPalRate.fee(amount, currency)
    let capture = PayPalCapture(
      id(), at: instant, order: authorisation?.order ?? id(), amount, currency, fee: fee, names: names, night: night)
    capture.authorisation = authorisation?.id
    let row = book(code, amount, currency, at: instant + 1, fee: status == "P" ? nil : -fee, id: capture.id)
    row.status = status
    row.names = names
    row.reference = authorisation.map { ($0.id, "TXN") } ?? (capture.order, "ODR")
    capture.rows = [row]
    captures.append(capture)
    if status == "P" {
      capture.status = "PENDING"
    } else {
      convert(amount - fee, currency, about: capture, at: instant + 2)
    }
    return capture
  }

  /// A pending payment becomes money.
  func clear(_ capture: PayPalCapture, at instant: Int64) {
    (capture.status, capture.updatedAt) = ("COMPLETED", instant)
    guard let row = capture.rows.first else { return }
    (row.status, row.fee, row.at) = ("S", -capture.fee, instant)
  }

  /// A pair of rows: out of one currency, into the account's own. Of an amount that leaves, the other way round.
  private func convert(_ amount: Int64, _ currency: String, about capture: PayPalCapture, at instant: Int64) {
    guard currency == "gbp" else { return }
    let dollars = amount * dice.number(12_500...13_200) / 10_000
    capture.rows.append(book("T0200", -amount, currency, at: instant, about: capture.id))
    capture.rows.append(book("T0200", dollars, "usd", at: instant, about: capture.id))
  }

  /// The fee that a partner takes of a capture.
  func takePartnerFee(_ amount: Int64, of capture: PayPalCapture) {
    capture.partnerFee = amount
    book("T0113", -amount, capture.currency, at: capture.at + 1, about: capture.id)
  }

  func authorise(_ amount: Int64, _ currency: String, at instant: Int64, names: PayPalNames) -> PayPalAuthorisation {
    let row = book("T1300", amount, currency, at: instant)
    row.status = "P"
    row.names = names
    let made = PayPalAuthorisation(row.id, order: id(), lapsesAt: instant + 29 * 86_400, names: names, row: row)
    row.reference = (made.order, "ODR")
    authorisations.append(made)
    return made
  }

  func refund(_ amount: Int64, of capture: PayPalCapture, at instant: Int64, feeBack: Int64 = 0, status: String = "S")
    -> PayPalRefund
  {
    let fee: Int64? = feeBack == 0 ? (dice.chance(50) ? nil : 0) : feeBack
    let row = book("T1107", -amount, capture.currency, at: instant, fee: fee, about: capture.id)
    row.status = status
    row.names = capture.names
    let refund = PayPalRefund(capture, feeBack: feeBack, total: capture.refunded + amount, row: row)
    refunds.append(refund)
    if status == "S" {
      complete(refund)
      convert(-amount, capture.currency, about: capture, at: instant + 1)
    } else {
      refund.status = "PENDING"
    }
    return refund
  }

  /// Counts a refund against its capture.
  func complete(_ refund: PayPalRefund) {
    let capture = refund.capture
    refund.status = "COMPLETED"
    refund.row.status = "S"
    capture.refunded += refund.amount
    capture.status = capture.refunded >= capture.amount ? "REFUNDED" : "PARTIALLY_REFUNDED"
    capture.updatedAt = max(capture.updatedAt, refund.updatedAt)
    if capture.status == "REFUNDED" { capture.rows.first?.status = "V" }
  }

  func dispute(_ capture: PayPalCapture, at instant: Int64) -> PayPalDispute {
    let dispute = PayPalDispute("PP-D-\(id().prefix(8))", at: instant, capture, capture.amount, night: night)
    disputes.append(dispute)
    return dispute
  }

  /// The balance of each currency at an instant, of the rows that exist by the given night.
  func balances(at instant: Int64) -> [String: Int64] {
    var balances: [String: Int64] = [:]
    for row in rows where row.at <= instant { balances[row.currency, default: 0] += row.effect }
    return balances
  }
}

/// PayPal's fees, by the payer's currency; the rate cards of the generated configuration are the same.
struct PayPalRate: Sendable {
  let currency: String
  /// Hundredths of a percent.
  let basisPoints: Int64
  /// Minor units.
  let fixed: Int64

  static let cards = [
    PayPalRate(currency: "usd", basisPoints: 340, fixed: 49), PayPalRate(currency: "eur", basisPoints: 290, fixed: 35),
    PayPalRate(currency: "jpy", basisPoints: 360, fixed: 40),
  ]

  static func fee(_ amount: Int64, _ currency: String) -> Int64 {
    guard let card = cards.first(where: { $0.currency == currency }) else {
      return Tender.share(amount, 440, of: 10_000) + 30
    }
    return Tender.share(amount, card.basisPoints, of: 10_000) + card.fixed
  }
}
