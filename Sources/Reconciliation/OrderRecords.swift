import JSON
import OrderSources
import Payments

/// Puts the landed lines of an order source into the store.
enum OrderRecords {
  static func read(_ record: JSONValue, stream: String, source: String, from origin: Origin, into sink: StoreSink) throws {
  }
}
