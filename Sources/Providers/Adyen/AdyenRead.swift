import Foundation
import JSON
import Logging
import Payments

/// Reads Adyen's landed settlement rows and notifications into nouns and postings (docs/providers/adyen.md sections 2
/// and 4).
///
/// Money comes from settlement rows alone; events come from both, and Resolve folds them at every run.
package final class AdyenReader: RecordReader {
  let provider: String
  /// The configured merchant account; rows of others are not landed.
  let account: String
  let orderReference: [String]
  let clock: AdyenClock
  let logger: Logger
  /// Reads the balance platform's reports, with the same clock.
  private let platform: AdyenPlatformReader
  /// The settlement file that is being read, and its state from row to row.
  var file = AdyenSettlementFile()
  private var warned: Set<String> = []

  package init(_ configuration: AdyenConfiguration, logger: Logger = Logger(label: "adyen")) {
    provider = configuration.name
    account = configuration.merchantAccount ?? ""
    orderReference = configuration.orderReference
    clock = AdyenClock(zone: TimeZone(identifier: configuration.timeZone) ?? .gmt)
    platform = AdyenPlatformReader(configuration, clock: clock)
    self.logger = logger
  }

  package func read(_ record: JSONValue, stream: String, from origin: Origin, into sink: any RecordSink) throws {
    if let refused = try RefusedRecord(record) { throw refused }
    switch AdyenStream(rawValue: stream) {
    case .settlement: try readSettlement(record, origin, sink)
    case .notifications: try readNotification(record, origin, sink)
    case .platform: try platform.read(record, origin, sink) { try addReferences(of: $0, $1, origin, sink) }
    case nil: throw ReadError.unknownStream(stream)
    }
  }

  /// Every identifier by which an order may refer to a payment; ranked where `order_reference` lists it.
  func addReferences(of payment: String, _ identifiers: [(String, String)], _ origin: Origin, _ sink: any RecordSink)
    throws
  {
    for (name, value) in identifiers where !value.isEmpty {
      let rank = orderReference.firstIndex(of: name).map { $0 + 1 }
      try sink.add(
        Reference(provider: provider, ownerID: payment, name: name, value: value, orderRank: rank, origin: origin))
    }
  }

  /// Warns once per file about something unusual that is not an error.
  func warn(_ sentence: String, about file: String) {
    guard warned.insert(file).inserted else { return }
    logger.warning("\(provider): \(file): \(sentence)")
  }
}
