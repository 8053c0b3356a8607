import JSON
import OrderSources
import Payments
import Storage

/// Puts the landed lines of an order source into the store. Refused rows go to the quarantine with their place in the
/// source.
struct OrderRecords {
  let database: any Database
  let source: String
  let stream: String
  /// Whether another source may have delivered the same order already.
  let hasRivals: Bool

  func read(_ record: JSONValue, from origin: Origin, into sink: StoreSink) throws {
    guard let stream = OrderStream(rawValue: stream) else {
      throw ReaderError.unknownStream(source: source, stream: stream)
    }
    switch try OrderReader(source: source).read(record, stream: stream, from: origin) {
    case .order(let order, let location):
      if let rival = try rival(of: order) {
        try refuse(
          location, order.orderID,
          "order_id: the source \(rival) has delivered this order already; order ids are unique across sources", origin,
          sink)
      } else {
        try sink.add(order)
      }
    case .refund(let refund, _): try sink.add(refund)
    case .initCall(let call): try sink.add(call)
    case .quarantined(let row): try refuse(row.location, row.recordID, row.reason, origin, sink)
    }
  }

  private func refuse(_ location: String, _ recordID: String, _ reason: String, _ origin: Origin, _ sink: StoreSink)
    throws
  {
    try sink.quarantine(
      Refused(source: source, stream: stream, location: location, recordID: recordID, reason: reason, file: origin.file)
    )
  }

  /// The other source that delivered the same order, if there is one.
  private func rival(of order: Order) throws -> String? {
    guard hasRivals else { return nil }
    return try database.text(
      "select source from customer_order where order_id = $1 and source <> $2", [.text(order.orderID), .text(source)])
  }
}

/// Why a line of a landed file cannot be placed.
enum ReaderError: Error, CustomStringConvertible {
  case unknownStream(source: String, stream: String)

  var description: String {
    switch self {
    case .unknownStream(let source, let stream):
      "\(source): there is no reader for the stream \(stream); update, then run again"
    }
  }
}
