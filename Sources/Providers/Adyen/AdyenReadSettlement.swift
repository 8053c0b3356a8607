import JSON
import Payments

/// The state of a settlement file from row to row.
struct AdyenSettlementFile {
  /// The landed file's number and the delivered file's name: rows of one delivery follow each other.
  private var place: (landed: Int64, name: String) = (-1, "")
  /// How often the same row key occurred so far: rows about the balance may be identical.
  var occurrences: [String: Int] = [:]
  /// How many payouts each batch has had so far, by the batch's name in their currency.
  private var payouts: [String: Int] = [:]
  /// The currency of each batch's first row: it uses the batch's own name, every other currency a name of its own.
  private var currencies: [String: Currency] = [:]
  /// The latest booking of each batch so far.
  var closings: [String: Int64] = [:]

  mutating func begin(_ landed: Int64, _ name: String) {
    guard place != (landed, name) else { return }
    self = AdyenSettlementFile()
    place = (landed, name)
  }

  /// How often the key occurred, including this time.
  mutating func occurrence(of key: String) -> Int { Self.next(&occurrences[key, default: 0]) }

  private static func next(_ number: inout Int) -> Int {
    number += 1
    return number
  }

  /// The name of what a batch pays in a currency: `AcmeNL/214`, and in a further currency `AcmeNL/214/USD`.
  mutating func name(_ batchID: String, _ currency: Currency) -> String {
    let first = currencies[batchID] ?? currency
    currencies[batchID] = first
    return first == currency ? batchID : "\(batchID)/\(currency.code)"
  }

  /// The number of a payout of a batch in its currency, from 1: the first is the batch's own, and pays all its other
  /// rows in that currency.
  mutating func payout(_ name: String) -> Int {
    Self.next(&payouts[name, default: 0])
  }

  /// Whether the batch was booked later than any row of it so far.
  mutating func isLater(_ batchID: String, _ bookedAt: Int64) -> Bool {
    guard closings[batchID, default: .min] < bookedAt else { return false }
    closings[batchID] = bookedAt
    return true
  }
}

/// Settlement detail reports: each row is money, and most say what happened to a payment.
extension AdyenReader {
  func readSettlement(_ record: JSONValue, _ origin: Origin, _ sink: any RecordSink) throws {
    let name = try record["file"].optionalString() ?? ""
    file.begin(origin.file, name)
    let row: AdyenSettlementRow
    let disagreements = clock.disagreements
    do {
      row = try AdyenSettlementRow(record, clock: clock)
    } catch let error where !(error is RefusedRecord) {
      let number = try record["row"].optionalInt64() ?? origin.line
      throw RefusedRecord(
        location: "\(name):\(number)", recordID: (try? record["psp_reference"].optionalString()) ?? "",
        reason: "\(error)")
    }
    if clock.disagreements > disagreements {
      warn(
        "a time zone beside a time is not that of the account at that time; the account's time_zone is used",
        about: name)
    }
    // A company's report contains the rows of all its merchant accounts.
    guard row.account == account else { return }
    try add(row, origin, sink)
  }

  private func add(_ row: AdyenSettlementRow, _ origin: Origin, _ sink: any RecordSink) throws {
    let rule = AdyenPostingRule.of(row.type)
    let occurrence = file.occurrence(of: row.key)
    let rowID = "\(row.key)/\(occurrence)"
    let reference = row.reference(rule, occurrence)
    let batchID = row.batchID
    let name = file.name(batchID, row.net)
    let payout = try addPayout(row, rowID, name, origin, sink)
    try sink.add(
      ledgerRow(
        row, rowID, rule, reference, paidBy: payout?.isFirst == true ? nil : name, payoutID: payout?.id, origin),
      row.postings(rule ?? .unknown))
    if rule == nil {
      try sink.add(
        UnknownWord(
          provider: provider, recordID: rowID, wordOf: "settlement_detail_report.type", word: row.type,
          account: account,
          seenAt: row.bookedAt, currency: row.net.code, amountMinor: row.netMinor))
    }
    if !row.isWhole { try sink.add(broken(row, rowID, batchID, origin)) }
    if file.isLater(batchID, row.bookedAt) {
      try sink.add(
        SettlementBatch(
          provider: provider, account: account, batchID: batchID, number: row.batch, closedAt: row.bookedAt,
          origin: origin))
    }
    if name != batchID, file.isLater(name, row.bookedAt) {
      try sink.add(
        SettlementBatch(
          provider: provider, account: account, batchID: name, closedAt: row.bookedAt, partOf: batchID, origin: origin))
    }
    try addCarry(row, rowID, origin, sink)
    if let rule { try addEvents(row, rule, rowID, reference, origin, sink) }
  }

  private func ledgerRow(
    _ row: AdyenSettlementRow, _ rowID: String, _ rule: AdyenPostingRule?, _ reference: String, paidBy batch: String?,
    payoutID: String?,
    _ origin: Origin
  ) -> LedgerRow {
    let isOfPayment = (rule ?? .unknown).isOfPayment && !row.pspReference.isEmpty
    let isConverted = row.gross.map { $0.currency != row.net } ?? false
    return LedgerRow(
      provider: provider, rowID: rowID, account: account, category: row.type, currency: row.net.code,
      amountMinor: row.amountMinor,
      feeMinor: row.feeMinor, netMinor: row.netMinor, exchangeRate: isConverted ? row.exchangeRate : nil,
      bookedAt: row.bookedAt,
      description: isOfPayment ? nil : row.words, isKnownCategory: rule != nil, feeSumMinor: row.feeMinor,
      paymentID: isOfPayment ? row.pspReference : nil,
      recordID: payoutID ?? (isOfPayment ? rule.map { _ in reference } : nil),
      recordKind: rule.flatMap { kind($0, isOfPayment) }, presentmentCurrency: row.gross?.currency.code,
      presentmentMinor: row.gross.map { abs($0.minor) }, payoutID: batch, origin: origin)
  }

  private func kind(_ rule: AdyenPostingRule, _ isOfPayment: Bool) -> RecordKind? {
    if rule.posting.outgoing == .payout { return .payout }
    guard isOfPayment else { return nil }
    return switch rule.story {
    case .capture, .instalment, .captureFailure: .payment
    case .refund, .refundFailure: .refund
    case .disputed, .disputeReturned, .disputeLost: .dispute
    case .none: .other
    }
  }

  private func broken(_ row: AdyenSettlementRow, _ rowID: String, _ batchID: String, _ origin: Origin) -> BrokenRow {
    BrokenRow(
      provider: provider, account: account, rowID: rowID, paymentID: row.pspReference.isEmpty ? nil : row.pspReference,
      batchID: batchID, currency: row.net.code, expectedMinor: row.convertedMinor - row.feeMinor,
      actualMinor: row.netMinor,
      bookedAt: row.bookedAt,
      detail: row.gross?.currency == row.net ? "gross less fees" : "gross at its exchange rate less fees",
      origin: origin)
  }
}

extension AdyenSettlementRow {
  /// Identifies the row, whichever file contains it; identical rows are numbered.
  ///
  /// References of rows about the balance are text: `Transaction Fees July 2026`.
  var key: String {
    var key = ""
    key.reserveCapacity(80)
    key += batchID
    key += "/"
    key += type.lowercased()
    let reference = pspReference.isEmpty ? AdyenSettlementRow.slug(words ?? "") : pspReference
    guard !reference.isEmpty else { return key }
    key += "/"
    key += reference
    guard !pspReference.isEmpty else { return key }
    key += "/"
    key += modificationReference
    return key
  }

  /// The id of the capture, refund or dispute: its own reference, or the payment's where it has none. Identical rows
  /// are as many captures or refunds, the first of them the one that a notification reports; instalments are parts of
  /// one capture, and a dispute's steps belong to one dispute.
  func reference(_ rule: AdyenPostingRule?, _ occurrence: Int) -> String {
    let reference = modificationReference.isEmpty ? pspReference : modificationReference
    return switch rule?.story {
    case .capture, .captureFailure, .refund, .refundFailure: occurrence == 1 ? reference : "\(reference)/\(occurrence)"
    default: reference
    }
  }

  /// The modification reference with single spaces, where it is text.
  var words: String? {
    let words = modificationReference.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  private static func slug(_ text: String) -> String {
    let plain = text.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == ".")
      return isPlain ? Character(scalar) : "-"
    }
    return String(plain.split(separator: "-").joined(separator: "-").prefix(80))
  }
}
