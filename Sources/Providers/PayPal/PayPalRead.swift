import JSON
import Payments

/// Reads PayPal's landed records into nouns and postings (docs/providers/paypal.md sections 2 and 3).
///
/// Rows of the report are the only money; objects add what rows lack. Nothing is joined here: rows and objects report
/// events, and Resolve folds them. Values without a rule are kept and shown.
package final class PayPalReader: RecordReader {
  let provider: String
  /// The configured `order_reference`, most reliable first: `custom_id`, `invoice_id`, `order` …
  let orderReference: [String]
  /// The merchant id, once its stream was read; empty while unknown.
  package private(set) var account: String

  package init(provider: String, orderReference: [String], account: String? = nil) {
    self.provider = provider
    self.orderReference = orderReference
    self.account = account ?? ""
  }

  package func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws {
    if let reason = try record["unreadable"].optionalString() { throw ReadError.unreadable(reason) }
    switch PayPalStream(rawValue: stream) {
    case .account:
      let id = try record["id"].string()
      if !id.isEmpty { account = id }
    case .reporting, .inFlight: try readRow(record, isInFlight: stream == PayPalStream.inFlight.rawValue, origin, sink)
    case .orders: try readOrder(record, origin, sink)
    case .captures: try readCapture(record, of: nil, origin, sink)
    case .authorizations: try readAuthorization(record, of: nil, origin, sink)
    case .refunds: try readRefund(record, of: nil, origin, sink)
    case .disputes: try readDispute(record, origin, sink)
    case .balances: try readBalance(record, origin, sink)
    case nil: throw ReadError.unknownStream(stream)
    }
  }

  package func id(of record: JSONValue) -> String? {
    ["transaction_id", "dispute_id", "id"].lazy.compactMap { try? record.member(named: $0)?.optionalString() }.first
  }

  /// Reports a value without a rule; the record itself is kept by the caller.
  func reportUnknown(
    _ word: String, of wordOf: String, record: String, at seenAt: Int64, amount: PayPalAmount? = nil,
    _ sink: any RecordSink
  ) throws {
    try sink.add(
      UnknownWord(
        provider: provider, recordID: record, wordOf: wordOf, word: String(word.prefix(60)), account: account,
        seenAt: seenAt,
        currency: amount?.currency.code, amountMinor: amount?.minor))
  }

  /// Every identifier by which an order may refer to a payment; ranked where `order_reference` lists it.
  ///
  /// PayPal's own limit is 127 characters: anything longer is not an identifier.
  func addReferences(of owner: String, _ identifiers: [(String, String?)], _ origin: Origin, _ sink: any RecordSink)
    throws
  {
    for (name, value) in identifiers {
      guard let value, !value.isEmpty, value.utf8.count <= 256 else { continue }
      let rank = orderReference.firstIndex(of: name).map { $0 + 1 }
      try sink.add(
        Reference(provider: provider, ownerID: owner, name: name, value: value, orderRank: rank, origin: origin))
    }
  }

  /// An id: not empty, and not longer than any that PayPal uses.
  ///
  /// - Throws: `JSONError`, `ReadError.unreadable`.
  func identifier(_ value: JSONValue) throws -> String {
    let id = try value.string()
    guard !id.isEmpty, id.utf8.count <= 256 else {
      throw ReadError.unreadable("\(value.path) is no id: \(id.utf8.count) characters")
    }
    return id
  }

  /// The same where it may be missing or empty.
  func optionalIdentifier(_ value: JSONValue) throws -> String? {
    guard let id = try value.optionalString(), !id.isEmpty else { return nil }
    return try identifier(value)
  }
}
