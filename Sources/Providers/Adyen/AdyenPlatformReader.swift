import Foundation
import JSON
import Payments

/// Reads a balance platform's landed rows (docs/providers/adyen.md sections 2.7 and 2.8).
///
/// Each row is one side of a booking. In a payment's split, a seller's row is two movements, from the customer to us
/// and from us to the seller; a row of the liable account is our own share, or what Adyen charges. What the customer
/// paid and what Adyen charged may be in the merchant account's settlement too: those rows are duplicate reports, and
/// count only where the settlement does not report the same event. Shares of one capture are parts of one event.
final class AdyenPlatformReader {
  let provider: String
  let balancePlatform: String
  let liableAccount: String
  private let clock: AdyenClock
  private var payouts = AdyenPlatformPayouts()

  init(_ configuration: AdyenConfiguration, clock: AdyenClock) {
    provider = configuration.name
    balancePlatform = configuration.balancePlatform ?? ""
    liableAccount = configuration.liableAccount ?? ""
    self.clock = clock
  }

  /// Reads one landed row; `references` are added for every payment that a row names.
  func read(
    _ record: JSONValue, _ origin: Origin, _ sink: any RecordSink,
    references: (_ payment: String, [(String, String)]) throws -> Void
  ) throws {
    let name = try record["file"].optionalString() ?? ""
    let location = "\(name):\(try record["row"].optionalInt64() ?? origin.line)"
    let row: AdyenPlatformRow
    do {
      row = try AdyenPlatformRow(record, clock: clock, location: location)
      // Only payout reports have a rolling balance, whatever their file name.
      if AdyenPlatformReport(name) == .payouts || !record["rolling_balance"].isAbsent {
        let rolling = try AdyenAmount.minor(try record["rolling_balance"].string(), row.currency)
        return try payouts.add(row, rolling, file: "\(origin.file)/\(name)", provider, origin, sink)
      }
    } catch let error where !(error is RefusedRecord) {
      throw RefusedRecord(
        location: location, recordID: (try? record["transaction_id"].optionalString()) ?? "", reason: "\(error)")
    }
    try add(row, origin, sink)
    if row.category == "platformpayment", !row.pspReference.isEmpty {
      try references(
        row.pspReference,
        [
          ("psp_reference", row.pspReference), ("merchant_reference", row.merchantReference),
          ("modification_reference", row.modificationReference == row.pspReference ? "" : row.modificationReference),
        ])
    }
  }

  private func add(_ row: AdyenPlatformRow, _ origin: Origin, _ sink: any RecordSink) throws {
    if row.category == "bank", let step = step(row, origin) { try sink.add(step) }
    // Cancelled rows have a Transaction Id and no money.
    guard !row.transactionID.isEmpty, row.balanceMinor != 0 else { return }
    let booking = AdyenPlatformBooking(
      row: row, isLiable: row.balanceAccount == liableAccount, liableAccount: liableAccount)
    for part in booking.movements() {
      let rowID = row.transactionID + part.suffix
      try sink.add(
        LedgerRow(
          provider: provider, rowID: rowID, account: balancePlatform, category: "\(row.category)/\(row.type)",
          currency: row.currency.code, amountMinor: part.netMinor + part.feeMinor, feeMinor: part.feeMinor,
          netMinor: part.netMinor,
          bookedAt: row.bookedAt, availableAt: row.valueAt,
          description: part.isOfPayment ? nil : row.description.nilIfEmpty,
          isKnownCategory: booking.isKnown, feeSumMinor: part.feeSumMinor,
          paymentID: part.isOfPayment ? row.pspReference : nil,
          recordID: part.recordID, recordKind: part.recordKind, connectedAccount: part.connectedAccount,
          presentmentCurrency: part.isGross ? row.original?.currency.code : nil,
          presentmentMinor: part.isGross ? row.original.map { abs($0.minor) } : nil, isEcho: part.isEcho, origin: origin
        ),
        postings(of: part, row.currency))
    }
    if !booking.isKnown {
      try sink.add(
        UnknownWord(
          provider: provider, recordID: row.transactionID, wordOf: "accounting_report.type",
          word: "\(row.category)/\(row.type)",
          account: balancePlatform, seenAt: row.bookedAt, currency: row.currency.code, amountMinor: row.balanceMinor))
    }
    if let event = event(row, booking, origin) { try sink.add(event) }
  }

  private func postings(of part: AdyenPlatformBooking.Part, _ currency: Currency) -> [Posting] {
    var builder = PostingBuilder(currency.code)
    for movement in part.movements {
      builder.post(
        movement.kind, from: movement.from, to: movement.to, movement.amountMinor, feeType: movement.feeType,
        description: movement.description)
    }
    return builder.postings
  }

  /// A payout's row; for a row that moved nothing, only the status that Adyen states.
  private func step(_ row: AdyenPlatformRow, _ origin: Origin) -> PayoutStep? {
    guard !row.transferID.isEmpty else { return nil }
    let moves = !row.transactionID.isEmpty && row.balanceMinor != 0
    let isFailure = AdyenPlatformRow.failures.contains(row.status.lowercased())
    guard moves || isFailure else { return nil }
    return PayoutStep(
      provider: provider, account: row.balanceAccount, payoutID: row.transferID,
      rowID: moves ? row.transactionID : "\(row.transferID)/\(row.status.lowercased())", status: row.status,
      currency: row.currency.code,
      amountMinor: moves ? -row.balanceMinor : abs(row.amountMinor), happenedAt: row.bookedAt,
      bankReference: row.reference.nilIfEmpty,
      origin: origin)
  }

  /// The event of a payment, refund or dispute that a share reports; costs report none.
  private func event(_ row: AdyenPlatformRow, _ booking: AdyenPlatformBooking, _ origin: Origin) -> RecordEvent? {
    guard booking.isShare, let rule = AdyenPlatformBooking.rules[row.type],
      let state = row.balanceMinor > 0 ? rule.whenIncoming : rule.whenOutgoing
    else { return nil }
    let presentment =
      row.original.map { ($0.currency.code, abs($0.minor)) } ?? (row.currency.code, abs(row.balanceMinor))
    return RecordEvent(
      provider: provider, account: balancePlatform, subject: rule.subject,
      recordID: rule.subject == .payment ? row.pspReference : booking.happening, paymentID: row.pspReference,
      eventID: booking.happening,
      state: state, feed: .settlement, currency: presentment.0, amountMinor: presentment.1, happenedAt: row.bookedAt,
      detail: row.type,
      part: row.transactionID, origin: origin)
  }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
