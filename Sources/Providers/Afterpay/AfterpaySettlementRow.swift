import Files
import JSON
import Payments

/// The columns of a settlement export that are kept (docs/providers/afterpay.md section 2); the others describe the
/// place and device of the sale.
enum AfterpayColumns {
  static let all: [Column] = [
    .required("settlement_date"), .required("afterpay_order_id"), .required("settlement_amount"),
    .required("merchant_fee_incl_tax"),
    .required("net_settlement_amount"), .required("type"), .optional("order_date_and_time"),
    .optional("merchant_order_id"),
    .optional("merchant_refund_id"), .optional("merchant_fee_excl_tax"), .optional("merchant_fee_tax"),
    .optional("afterpay_refund_id"),
    .optional("refund_date_and_time"),
    // Of partner files, where a sale crosses a border.
    .optional("presentment_amount"), .optional("presentment_currency"), .optional("settlement_exchange_rate"),
  ]

  /// Columns with amounts in the account's currency.
  static let amounts = [
    "settlement_amount", "merchant_fee_excl_tax", "merchant_fee_tax", "merchant_fee_incl_tax", "net_settlement_amount",
  ]

  /// An added member: the row's number among identical rows of one file, from 2.
  static let alike = "alike"
}

/// A row of a settlement export, in exact amounts.
struct AfterpaySettlementRow {
  /// The kind of a row, by its column Type.
  enum Kind: Equatable {
    case order, refund
    /// A type without a rule, as written.
    case other(String)
  }
  let kind: Kind
  let orderID: String
  let merchantOrderID: String?
  let refundID: String?
  /// Signed from the platform's side, by the type, as the export writes some refunds without a sign.
  let gross: AfterpayAmount
  let feeWithoutTax: AfterpayAmount?
  let tax: AfterpayAmount
  let fee: AfterpayAmount
  let net: AfterpayAmount
  /// What the customer saw, where it was in another currency than the account's; not negative.
  let presentment: Money?
  let exchangeRate: String?

  /// - Throws: `CellError`, `MoneyError`, `JSONError`.
  init(_ record: JSONValue, _ currency: Currency) throws {
    func cell(_ value: JSONValue) throws -> String? {
      guard let text = try value.optionalString(), !text.isEmpty else { return nil }
      return text
    }
    func amount(_ name: StaticString, _ currency: Currency) throws -> AfterpayAmount {
      do { return try AfterpayAmount(cell(record[name]) ?? "", currency) } catch let error as AfterpayAmountError {
        throw CellError(cell: "\(name)", reason: "\(error)")
      }
    }
    let type = try cell(record["type"]) ?? ""
    switch type.lowercased() {
    case "order": kind = .order
    case "refund": kind = .refund
    default: kind = .other(type)
    }
    orderID = try cell(record["afterpay_order_id"]) ?? ""
    merchantOrderID = try cell(record["merchant_order_id"])
    refundID = try cell(record["afterpay_refund_id"])
    let stated = try amount("settlement_amount", currency)
    switch kind {
    case .order: gross = AfterpayAmount(millionths: abs(stated.millionths))
    case .refund: gross = AfterpayAmount(millionths: -abs(stated.millionths))
    case .other: gross = stated
    }
    feeWithoutTax = try cell(record["merchant_fee_excl_tax"]) == nil ? nil : amount("merchant_fee_excl_tax", currency)
    tax = try amount("merchant_fee_tax", currency)
    fee = try amount("merchant_fee_incl_tax", currency)
    net = try amount("net_settlement_amount", currency)
    exchangeRate = try cell(record["settlement_exchange_rate"])
    if let code = try cell(record["presentment_currency"]), try cell(record["presentment_amount"]) != nil {
      let own = try Currency(code: code)
      presentment =
        own == currency
        ? nil : Money(amountMinor: abs(try amount("presentment_amount", own).rounded(own)), currency: own)
    } else {
      presentment = nil
    }
  }

  /// A cent, the tolerance required by the export's own rounding: 5.46 and 0.55 are stated as 6.00.
  private static let cent: Int64 = 10_000

  /// The first of the row's sums that is wrong, in millionths.
  func broken() throws -> (expected: AfterpayAmount, actual: AfterpayAmount, detail: String)? {
    let expectedNet = try gross.minus(fee)
    if abs(try expectedNet.minus(net).millionths) > Self.cent {
      return (expectedNet, net, "settlement amount - fee is not the net")
    }
    guard let feeWithoutTax else { return nil }
    let parts = try feeWithoutTax.minus(AfterpayAmount(millionths: -tax.millionths))
    if abs(try parts.minus(fee).millionths) > Self.cent { return (parts, fee, "fee without tax + tax is not the fee") }
    return nil
  }
}
