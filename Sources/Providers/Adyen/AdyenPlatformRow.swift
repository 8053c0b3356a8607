import JSON
import Payments

/// One row of a balance platform's report: what a booking does to one balance account (providers/adyen.md section 2.7).
///
/// Amounts are minor units by ISO 4217 and signed: positive comes to the balance account.
struct AdyenPlatformRow {
  /// Adyen's words for a payout that did not arrive.
  static let failures: Set<String> = ["failed", "refused", "rejected", "error", "returned", "cancelled", "canceled"]

  let location: String
  let balanceAccount: String
  let transferID: String
  /// Empty where the row moves nothing.
  let transactionID: String
  /// In lower case, as all of Adyen's words here.
  let category: String
  let status: String
  let type: String
  let bookedAt: Int64
  let valueAt: Int64?
  let currency: Currency
  /// What it does to the balance.
  let balanceMinor: Int64
  /// What it is about, where it moves nothing.
  let amountMinor: Int64
  /// What the shopper paid in, where that is another currency.
  let original: (currency: Currency, minor: Int64)?
  let reference: String
  let description: String
  let counterparty: String
  let merchantReference: String
  let pspReference: String
  let modificationReference: String
  /// What Adyen charges, positive; empty on a row that is no cost.
  let costs: [(type: FeeType, minor: Int64)]

  /// - Throws: `JSONError`, `MoneyError`, `AdyenClockError`: the row is quarantined.
  init(_ record: JSONValue, clock: AdyenClock, location: String) throws {
    func text(_ name: StaticString) throws -> String { try record[name].optionalString() ?? "" }
    self.location = location
    balanceAccount = try text("balance_account")
    transferID = try text("transfer_id")
    transactionID = try text("transaction_id")
    category = try text("category").lowercased()
    status = try text("status")
    type = try text("type").lowercased()
    let zone = try text("booking_date_time_zone")
    bookedAt = try clock.instant(try text("booking_date"), zone)
    let (value, valueZone) = (try text("value_date"), try text("value_date_time_zone"))
    valueAt = value.isEmpty ? nil : try clock.instant(value, valueZone.isEmpty ? zone : valueZone)
    let paid = try text("payment_currency")
    let currency = try Currency(code: paid.isEmpty ? try text("currency") : paid)
    self.currency = currency
    balanceMinor = try Self.minor(try text("balance_pc"), currency)
    let stated = try Currency(code: try text("currency"))
    amountMinor = stated == currency ? try Self.minor(try text("amount"), currency) : balanceMinor
    original = try Self.original(try text("original_currency"), try text("original_amount"), besides: currency)
    reference = try text("reference")
    description = try text("description")
    counterparty = try text("counterparty_balance_account_id")
    merchantReference = try text("psp_payment_merchant_reference")
    pspReference = try text("psp_payment_psp_reference")
    modificationReference = try text("psp_modification_psp_reference")
    let costCurrency = try text("platform_payment_cost_currency")
    costs =
      costCurrency.isEmpty || costCurrency.uppercased() == currency.code
      ? try [
        (.interchange, try text("platform_payment_interchange")), (.scheme, try text("platform_payment_scheme_fee")),
        (.markup, try text("platform_payment_markup")), (.commission, try text("platform_payment_commission")),
      ].map { ($0, -(try Self.minor($1, currency))) }.filter { $0.1 != 0 } : []
  }

  /// Whether it is what Adyen charges for a payment rather than a share of it.
  ///
  /// The four columns say so; where an account does not have them, the generated words do, and a capture never takes a share away.
  var isCost: Bool {
    if !costs.isEmpty { return true }
    return type == "capture" && balanceMinor < 0 || Self.costWords.contains(description.lowercased()) || description.contains(" Fee for ")
      || description.hasPrefix("Aggregated Fee")
  }

  private static let costWords: Set<String> = [
    "paymentfee", "acquiringfees", "adyenfees", "adyencommission", "adyenmarkup", "interchange", "schemefee",
  ]

  private static func minor(_ text: String, _ currency: Currency) throws -> Int64 {
    let minor = try AdyenAmount.minor(text, currency)
    guard minor != .min else { throw MoneyError.overflow("an amount in \(currency.code)") }
    return minor
  }

  private static func original(_ code: String, _ amount: String, besides currency: Currency) throws -> (Currency, Int64)? {
    guard !code.isEmpty, !amount.isEmpty, code.uppercased() != currency.code else { return nil }
    let original = try Currency(code: code)
    return (original, try minor(amount, original))
  }
}
