import JSON
import Payments

/// The ledger: balance transactions, stated balances, and the rows that payouts list.
extension StripeReader {
  /// Reads one balance transaction into its row and the postings that add up to its net.
  func readLedgerRow(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let id = try record["id"].string()
    let currency = try currency(record["currency"])
    let type = try record["type"].optionalString() ?? ""
    let category = try record["reporting_category"].optionalString()
    let sourceID = try record["source"].expandableID()
    let words = try record["description"].optionalString()
    let rule = StripePostingRules.of(category: category, type: type, sourceID: sourceID, words: words)
    let bookedAt = try record["created"].instant()
    let amountMinor = try amount(record["amount"], currency)
    let netMinor = try amount(record["net"], currency)
    // On a customer's own movement, the description is the merchant's text about the customer: no report needs it.
    let description = rule?.counterparty == .customer ? nil : words
    let fees = try StripeFeeLines(
      of: record, currency, stripeFee: rule.map(StripePostingRules.ownFee) ?? .processing, reader: self)
    let holding = try record["balance_type"].optionalString()
    let row = LedgerRow(
      provider: provider, rowID: id, account: StripeHolding.account(account, holding), category: category ?? type,
      sourceID: sourceID, currency: currency.code,
      amountMinor: amountMinor, feeMinor: try amount(record["fee"], currency), netMinor: netMinor,
      exchangeRate: try record["exchange_rate"].optionalNumberText(), bookedAt: bookedAt,
      availableAt: try record["available_on"].optionalInstant(), description: description, isKnownCategory: rule != nil,
      feeSumMinor: fees.sumMinor, origin: origin)
    if rule == nil {
      try sink.add(
        UnknownWord(
          provider: provider, recordID: id, wordOf: "balance_transaction.type", word: type, account: account,
          seenAt: bookedAt,
          currency: currency.code, amountMinor: amountMinor))
    }
    if let holding, StripeHolding(rawValue: holding) == nil {
      try reportUnknown(holding, of: "balance_transaction.balance_type", record: id, at: bookedAt, sink)
    }
    for word in fees.unknownTypes { try reportUnknown(word, of: "fee_details.type", record: id, at: bookedAt, sink) }
    try sink.add(row, try postings(of: row, rule ?? StripePostingRules.unknown, fees))
  }

  /// The postings of one row; they always add up to its net.
  private func postings(of row: LedgerRow, _ rule: PostingRule, _ fees: StripeFeeLines) throws -> [Posting] {
    guard row.amountMinor != .min, fees.lines.allSatisfy({ $0.amountMinor != .min }) else {
      throw MoneyError.overflow("an amount of \(row.rowID)")
    }
    var builder = PostingBuilder(row.currency)
    builder.post(rule, row.amountMinor, description: row.description)
    for line in fees.lines {
      builder.post(
        .fee, line.type == .application ? .other : .provider, -line.amountMinor, feeType: line.type,
        description: line.description)
    }
    // The amount that the lines do not account for, so that the row's net is kept; fee_sum_mismatch reports it.
    let gross = row.netMinor.subtractingReportingOverflow(row.amountMinor)
    let rest = gross.partialValue.addingReportingOverflow(fees.sumMinor)
    guard !gross.overflow, !rest.overflow, rest.partialValue != .min else {
      throw MoneyError.overflow("the net of \(row.rowID)")
    }
    builder.post(
      .fee, .provider, rest.partialValue, feeType: .other, description: "difference between the fee and its lines")
    return builder.postings
  }

  /// What Stripe holds: available and pending together, per balance and currency; the reserve for connected accounts is
  /// not part of the ledger.
  func readBalance(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    for holding in StripeHolding.allCases {
      for (currency, amountMinor) in try held(holding, record).sorted(by: { $0.key < $1.key }) {
        try sink.add(
          // Asked for after the run began, which the store may date later than the clock did (LandingClock).
          StatedBalance(
            provider: provider, account: StripeHolding.account(account, holding.rawValue), currency: currency.code,
            amountMinor: amountMinor, observedAt: max(try record["observed_at"].instant(), origin.observedAt),
            isSettled: try record["settled"].bool(),
            origin: origin))
      }
    }
  }

  private func held(_ holding: StripeHolding, _ record: JSONValue) throws -> [Currency: Int64] {
    var held: [Currency: Int64] = [:]
    for part in holding.lists(of: record).flatMap({ Array($0.elements) }) {
      let currency = try currency(part["currency"])
      let sum = held[currency, default: 0].addingReportingOverflow(try amount(part["amount"], currency))
      guard !sum.overflow else { throw MoneyError.overflow("a stated balance in \(currency.code)") }
      held[currency] = sum.partialValue
    }
    return held
  }

  func readPayoutLine(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let row = record["balance_transaction"]
    let currency = try currency(row["currency"])
    try sink.add(
      PayoutLine(
        provider: provider, payoutID: try record["payout"].string(), rowID: try row["id"].string(),
        currency: currency.code,
        netMinor: try amount(row["net"], currency), origin: origin))
  }
}

/// The fee lines of a balance transaction.
struct StripeFeeLines {
  struct Line {
    let type: FeeType
    let amountMinor: Int64
    let description: String?
  }
  private(set) var lines: [Line] = []
  private(set) var sumMinor: Int64 = 0
  private(set) var unknownTypes: [String] = []

  /// - Throws: `JSONError`, or `MoneyError` for a sum beyond 64 bits.
  /// - Parameter stripeFee: the type of Stripe's own fee on a row of that kind.
  init(of record: JSONValue, _ currency: Currency, stripeFee: FeeType, reader: StripeReader) throws {
    for detail in record["fee_details"].elements {
      let word = try detail["type"].optionalString() ?? ""
      let type = StripeFeeLines.type(word, stripeFee: stripeFee)
      if type == nil { unknownTypes.append(word) }
      guard try detail["currency"].optionalString().map({ try Currency(code: $0) }) ?? currency == currency else {
        continue
      }
      let amountMinor = try reader.amount(detail["amount"], currency)
      let sum = sumMinor.addingReportingOverflow(amountMinor)
      guard !sum.overflow else { throw MoneyError.overflow("the fee lines of a balance transaction") }
      sumMinor = sum.partialValue
      lines.append(
        Line(type: type ?? .other, amountMinor: amountMinor, description: try detail["description"].optionalString()))
    }
  }

  /// docs/contract.md section 5.6.
  private static func type(_ word: String, stripeFee: FeeType) -> FeeType? {
    switch word {
    case "stripe_fee": stripeFee
    case "application_fee": .application
    case "payment_method_passthrough_fee": .interchange
    case "tax", "withheld_tax": .tax
    default: nil
    }
  }
}
