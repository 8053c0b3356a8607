import JSON
import Payments

/// One row of a balance platform's report: what a booking does to one balance account
/// (docs/providers/adyen.md section 2.7).
///
/// Amounts are minor units by ISO 4217 and signed: positive comes to the balance account.
struct AdyenPlatformRow {
  /// Adyen's statuses of a payout that did not arrive.
  static let failures: Set<String> = ["failed", "refused", "rejected", "error", "returned", "cancelled", "canceled"]

  let location: String
  let balanceAccount: String
  let transferID: String
  /// Empty where the row moves nothing.
  let transactionID: String
  /// In lower case, like all of Adyen's values here.
  let category: String
  let status: String
  let type: String
  let bookedAt: Int64
  let valueAt: Int64?
  let currency: Currency
  /// The change of the balance.
  let balanceMinor: Int64
  /// The amount it is about, for a row that moves nothing.
  let amountMinor: Int64
  /// What the shopper paid, where that was in another currency.
  let original: (currency: Currency, minor: Int64)?
  let reference: String
  let description: String
  let counterparty: String
  let merchantReference: String
  let pspReference: String
  let modificationReference: String
  /// What Adyen charges, positive; empty on a row that is not a cost.
  let costs: [(type: FeeType, minor: Int64)]

  /// - Throws: `JSONError`, `MoneyError`, `AdyenClockError`: the row is quarantined.
  init(_ record: JSONValue, clock: AdyenClock, location: String) throws {
    func text(_ name: StaticString) throws -> String { try record[name].optionalString() ?? "" }
    self.location = location
    balanceAccount = try text("balance_account")
    transferID = try text("transfer_id")
    transactionID = try text("transaction_id")
    status = try text("status")
    type = try text("type").lowercased()
    category = Self.category(
      try text("category"), type: type, isOfPayment: try !text("psp_payment_psp_reference").isEmpty)
    let zone = try text("booking_date_time_zone")
    bookedAt = try clock.instant(record, "booking_date", zone)
    let (value, valueZone) = (try text("value_date"), try text("value_date_time_zone"))
    valueAt = value.isEmpty ? nil : try clock.instant(record, "value_date", valueZone.isEmpty ? zone : valueZone)
    let paid = try text("payment_currency")
    let currency = try Currency(code: paid.isEmpty ? try text("currency") : paid)
    self.currency = currency
    func amount(_ name: StaticString, _ currency: Currency) throws -> Int64 {
      let text = try text(name)
      return try CellError.naming("\(name)") { try AdyenAmount.minor(text, currency) }
    }
    balanceMinor = try amount("balance_pc", currency)
    let stated = try Currency(code: try text("currency"))
    amountMinor = stated == currency ? try amount("amount", currency) : balanceMinor
    let code = try text("original_currency")
    if try code.isEmpty || text("original_amount").isEmpty || code.uppercased() == currency.code {
      original = nil
    } else {
      let paidIn = try Currency(code: code)
      original = (currency: paidIn, minor: try amount("original_amount", paidIn))
    }
    reference = try text("reference")
    description = try text("description")
    counterparty = try text("counterparty_balance_account_id")
    merchantReference = try text("psp_payment_merchant_reference")
    pspReference = try text("psp_payment_psp_reference")
    modificationReference = try text("psp_modification_psp_reference")
    let costCurrency = try text("platform_payment_cost_currency")
    let isInCurrency = costCurrency.isEmpty || costCurrency.uppercased() == currency.code
    costs = try (isInCurrency ? Self.costColumns : []).map { column in
      (type: column.type, minor: -(try amount(column.name, currency)))
    }.filter { $0.minor != 0 }
  }

  /// The category in lower case; for a blank cell, the category that type and reference imply, else none.
  static func category(_ text: String, type: String, isOfPayment: Bool) -> String {
    if !text.isEmpty { return text.lowercased() }
    if isOfPayment && AdyenPlatformBooking.rules[type] != nil { return "platformpayment" }
    return switch type {
    case "banktransfer", "bankdirectdebit", "cardtransfer": "bank"
    case "fee", "invoicededuction", "misccost", "paymentcost", "internaltransfer": "internal"
    default: ""
    }
  }

  private static let costColumns: [(type: FeeType, name: StaticString)] = [
    (.interchange, "platform_payment_interchange"), (.scheme, "platform_payment_scheme_fee"),
    (.markup, "platform_payment_markup"), (.commission, "platform_payment_commission"),
  ]

  /// Whether it is what Adyen charges for a payment rather than a share of it.
  ///
  /// The four columns decide; where an account does not have them, the generated description does. A capture with a
  /// negative amount is a cost, as a capture never reduces a share.
  var isCost: Bool {
    if !costs.isEmpty { return true }
    return type == "capture" && balanceMinor < 0 || Self.costWords.contains(description.lowercased())
      || description.contains(" Fee for ")
      || description.hasPrefix("Aggregated Fee")
  }

  private static let costWords: Set<String> = [
    "paymentfee", "acquiringfees", "adyenfees", "adyencommission", "adyenmarkup", "interchange", "schemefee",
  ]
}
