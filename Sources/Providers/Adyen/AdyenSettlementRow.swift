import JSON
import Payments

/// One row of a settlement detail report, with its cells read and its sums computed
/// (docs/providers/adyen.md sections 2.1 and 2.2).
///
/// Amounts are minor units by ISO 4217 and signed: positive comes to the merchant. GC is what the shopper paid in, NC
/// what is settled.
struct AdyenSettlementRow {
  /// A fee column: a positive amount is withheld.
  struct Fee {
    let type: FeeType
    let amountMinor: Int64
  }
  let account: String
  let batch: Int64
  /// `{merchant_account}/{batch}`, as payouts and batches are named in the reports.
  let batchID: String
  let type: String
  let pspReference: String
  let modificationReference: String
  let merchantReference: String
  let modificationMerchantReference: String
  let merchantOrderReference: String
  let paymentMethod: String
  let createdAt: Int64
  let bookedAt: Int64
  /// nil on rows about the balance.
  let gross: (currency: Currency, minor: Int64)?
  let net: Currency
  let netMinor: Int64
  let fees: [Fee]
  let feeMinor: Int64
  let exchangeRate: String?
  /// The gross in the net currency at the stated rate; where no rate is stated, the net plus the fees.
  let convertedMinor: Int64

  /// The amount from which the fees were deducted, so that amount − fee is the stated net.
  let amountMinor: Int64

  /// Whether gross × rate − fees is the net; a rounding difference of one minor unit is allowed where currencies
  /// differ.
  var isWhole: Bool {
    let off = amountMinor - convertedMinor
    return off == 0 || (gross?.currency != net && abs(off) <= 1)
  }

  /// - Throws: `JSONError`, `CellError`, `MoneyError`, `AdyenClockError` or `AdyenSettlementRowError`: the row is
  ///   quarantined.
  init(_ record: JSONValue, clock: AdyenClock) throws {
    func text(_ name: StaticString) throws -> String { try record[name].optionalString() ?? "" }
    func amount(_ name: StaticString, _ currency: Currency) throws -> Int64 {
      let text = try text(name)
      return try CellError.naming("\(name)") { try AdyenAmount.minor(text, currency) }
    }
    account = try text("merchant_account")
    type = try text("type")
    batch = try Self.batch(try text("batch_number"))
    batchID = "\(account)/\(batch)"
    pspReference = try Self.reference(try text("psp_reference"), "psp_reference")
    modificationReference = try Self.reference(try text("modification_reference"), "modification_reference")
    merchantReference = try text("merchant_reference")
    modificationMerchantReference = try text("modification_merchant_reference")
    merchantOrderReference = try text("merchant_order_reference")
    paymentMethod = try text("payment_method")
    let zone = try text("time_zone")
    createdAt = try clock.instant(record, "creation_date", zone)
    let booked = try text("booking_date")
    let bookedZone = try text("booking_date_time_zone")
    bookedAt =
      booked.isEmpty ? createdAt : try clock.instant(record, "booking_date", bookedZone.isEmpty ? zone : bookedZone)
    guard !type.isEmpty else { throw AdyenSettlementRowError.noType }

    let net = try Currency(code: try text("net_currency"))
    self.net = net
    netMinor = try Self.sum(try amount("net_credit_nc", net), -(try amount("net_debit_nc", net)))
    fees = [
      Fee(type: .commission, amountMinor: try amount("commission_nc", net)),
      Fee(type: .markup, amountMinor: try amount("markup_nc", net)),
      Fee(type: .scheme, amountMinor: try amount("scheme_fees_nc", net)),
      Fee(type: .interchange, amountMinor: try amount("interchange_nc", net)),
    ]
    feeMinor = try fees.reduce(Int64(0)) { try Self.sum($0, $1.amountMinor) }
    amountMinor = try Self.sum(netMinor, feeMinor)

    let (credit, debit) = (try text("gross_credit_gc"), try text("gross_debit_gc"))
    let stated = try text("exchange_rate")
    let rate = try CellError.naming("exchange_rate") { try AdyenAmount.Rate(stated) }
    exchangeRate = rate == nil ? nil : stated
    if credit.isEmpty && debit.isEmpty {
      (gross, convertedMinor) = (nil, amountMinor)
    } else {
      let currency = try Currency(code: try text("gross_currency"))
      let minor = try Self.sum(try amount("gross_credit_gc", currency), -(try amount("gross_debit_gc", currency)))
      gross = (currency, minor)
      if let rate {
        convertedMinor = try CellError.naming("exchange_rate") { try rate.converted(minor, from: currency, to: net) }
      } else {
        convertedMinor = currency == net ? minor : amountMinor
      }
    }
  }

  private static func sum(_ one: Int64, _ other: Int64) throws -> Int64 {
    let sum = one.addingReportingOverflow(other)
    guard !sum.overflow, sum.partialValue != .min else { throw MoneyError.overflow("the amounts of a row") }
    return sum.partialValue
  }

  /// Some exports write the number as text with a fraction of zeros.
  private static func batch(_ text: String) throws -> Int64 {
    if let number = Int64(text), (0...999_999_999).contains(number) { return number }
    let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = whole.first, let number = Int64(first), (0...999_999_999).contains(number),
      whole.count == 1 || whole[1].allSatisfy({ $0 == "0" })
    else {
      throw AdyenSettlementRowError.noBatch(text)
    }
    return number
  }

  /// A reference that went through a spreadsheet has permanently lost its digits.
  private static func reference(_ text: String, _ column: String) throws -> String {
    guard AdyenSettlementRowError.isDamaged(text) else { return text }
    throw AdyenSettlementRowError.spreadsheet(column, text)
  }
}

/// Why a row of a settlement detail report cannot be read.
enum AdyenSettlementRowError: Error, Equatable, CustomStringConvertible {
  case noType
  case noBatch(String)
  case spreadsheet(String, String)

  /// `4.81E+15` or 4814769000000000: digits that a spreadsheet has rounded off.
  static func isDamaged(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.count == 16, bytes.allSatisfy({ (48...57).contains($0) }), bytes.suffix(9).allSatisfy({ $0 == 48 }) {
      return true
    }
    guard bytes.contains(UInt8(ascii: "+")) else { return false }
    let parts = text.uppercased().split(separator: "E", omittingEmptySubsequences: false)
    guard parts.count == 2, let exponent = parts.last, exponent.hasPrefix("+"), exponent.count > 1 else { return false }
    return exponent.dropFirst().allSatisfy(\.isNumber) && !parts[0].isEmpty
      && parts[0].allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
  }

  var description: String {
    switch self {
    case .noType: "the row has no Type; see that the whole file was delivered"
    case .noBatch(let text): "\"\(text.prefix(20))\" is no Batch Number"
    case .spreadsheet(let column, let text):
      "\(column) \(text.prefix(24)) has lost digits in a spreadsheet; deliver the report as Adyen made it, unopened"
    }
  }
}
