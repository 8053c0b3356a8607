import JSON
import Payments

/// Reads Stripe's landed objects into nouns and postings (docs/providers/stripe.md sections 2 and 3).
///
/// Nothing is joined here: each object contributes its own fields, and Resolve joins them. Values without a rule are
/// kept and shown.
package final class StripeReader: RecordReader {
  let provider: String
  /// The configured `order_reference`, most reliable first: `metadata.order_id`, `payment_intent` …
  let orderReference: [String]
  /// The platform's `acct_…`, once its stream was read; empty while unknown.
  package private(set) var account: String

  package var lacksAccount: Bool { account.isEmpty }

  package init(provider: String, orderReference: [String], account: String? = nil) {
    self.provider = provider
    self.orderReference = orderReference
    self.account = account ?? ""
  }

  package func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws {
    if let reason = try record["unreadable"].optionalString() { throw ReadError.unreadable(reason) }
    switch stream {
    case "account":
      let id = try record["id"].string()
      if !id.isEmpty { account = id }
    case "balances": try readBalance(record, origin, sink)
    case "balance_transactions": try readLedgerRow(record, origin, sink)
    case "charges": try readCharge(record, origin, sink)
    case "payment_intents": try readIntent(record, origin, sink)
    case "refunds": try readRefund(record, origin, sink)
    case "transfers": try readTransfer(record, origin, sink)
    case "application_fees": try readApplicationFee(record, origin, sink)
    case "disputes": try readDispute(record, origin, sink)
    case "payouts": try readPayout(record, origin, sink)
    case "payout_lines": try readPayoutLine(record, origin, sink)
    default: throw ReadError.unknownStream(stream)
    }
  }

  /// An amount in its currency, converted from Stripe's exponent to that of ISO 4217.
  func amount(_ value: JSONValue, _ currency: Currency) throws -> Int64 {
    let amount = try value.int64()
    return try CellError.naming(value.path) { try StripeAmount.minor(amount, currency) }
  }

  func currency(_ value: JSONValue) throws -> Currency {
    try Currency(code: try value.string())
  }

  /// Reports a value without a rule; the record itself is kept by the caller.
  func reportUnknown(_ word: String, of wordOf: String, record: String, at seenAt: Int64, _ sink: any RecordSink) throws
  {
    try sink.add(
      UnknownWord(provider: provider, recordID: record, wordOf: wordOf, word: word, account: account, seenAt: seenAt))
  }

  /// Every identifier by which an order may refer to a charge or an intent; ranked where `order_reference` lists it.
  func addReferences(
    of owner: String, _ record: JSONValue, _ identifiers: [(String, String?)], _ origin: Origin, _ sink: any RecordSink
  ) throws {
    var seen: [(String, String)] = []
    for (name, value) in identifiers { if let value, !value.isEmpty { seen.append((name, value)) } }
    for (key, value) in record["metadata"].members where value.kind == .string {
      seen.append(("metadata.\(key)", try value.string()))
    }
    for (name, value) in seen where !value.isEmpty {
      let rank = orderReference.firstIndex(of: name).map { $0 + 1 }
      try sink.add(
        Reference(provider: provider, ownerID: owner, name: name, value: value, orderRank: rank, origin: origin))
    }
  }
}
