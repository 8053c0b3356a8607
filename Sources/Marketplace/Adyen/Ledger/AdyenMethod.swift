/// How a shopper pays at Adyen.
enum AdyenMethod: String, CaseIterable, Sendable {
  case visa
  case mc
  case amex
  case ideal
  case klarna
  case cashapp

  /// `Payment Method Variant`.
  var variant: String {
    switch self {
    case .visa: "visastandardcredit"
    case .mc: "mcstandarddebit"
    case .amex: "amex_consumer"
    case .ideal: "idealing"
    case .klarna: "klarna_paynow"
    case .cashapp: "cashapp"
    }
  }

  /// Interchange++: markup, scheme fee and interchange are distinguished; else one commission.
  var isInterchange: Bool { self == .visa || self == .mc }

  /// The capture carries the payment's own reference, and no notification reports it.
  var capturesItself: Bool { self == .ideal }

  /// What is withheld of that much, in minor units of the settlement currency.
  func fees(on amount: Int64) -> AdyenFees {
    guard isInterchange else {
      return AdyenFees(commission: Tender.share(amount, self == .ideal ? 0 : 190, of: 10_000) + 35)
    }
    return AdyenFees(
      markup: Tender.share(amount, 12, of: 10_000) + 1, scheme: Tender.share(amount, 5, of: 10_000),
      interchange: Tender.share(amount, 20, of: 10_000))
  }

  /// What a refund costs: nothing for cards, a commission for the others.
  var refundFees: AdyenFees { isInterchange ? AdyenFees() : AdyenFees(commission: 20) }
}

/// The four fee columns of a row: positive is withheld; a zero is an empty cell.
struct AdyenFees: Sendable {
  var commission: Int64 = 0
  var markup: Int64 = 0
  var scheme: Int64 = 0
  var interchange: Int64 = 0

  var sum: Int64 { commission + markup + scheme + interchange }
}

/// What one unit of a foreign currency is worth in the settlement currency.
struct AdyenRate: Sendable {
  /// Ten-thousandths.
  let tenThousandths: Int64

  /// In its literal text, e.g. `1.1734`.
  var text: String {
    let digits = String(tenThousandths % 10_000)
    return "\(tenThousandths / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Minor units of the settlement currency, rounded half away from zero.
  func settled(_ amount: Int64, _ currency: String, in settlement: String) -> Int64 {
    let raised = (0..<Tender.digits(settlement)).reduce(amount * tenThousandths) { product, _ in product * 10 }
    return Tender.share(raised, 1, of: (0..<Tender.digits(currency)).reduce(Int64(10_000)) { whole, _ in whole * 10 })
  }
}
