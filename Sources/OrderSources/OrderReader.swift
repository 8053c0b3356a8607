import JSON
import Payments

/// The content of one landed line of an order source.
package enum LandedOrder: Sendable, Hashable {
  /// An order, and its place in the source, e.g. `orders.csv:12`.
  case order(Order, location: String)
  /// A refund, and its place in the source.
  case refund(OrderRefund, location: String)
  /// A call that started a payment or continued its approval.
  case initCall(PaymentInitCall)
  /// A row that was refused when it was pulled, or that the current rules refuse.
  case quarantined(QuarantinedRow)
}

/// Reads the landed lines of an order source; the same line always gives the same result.
package struct OrderReader: Sendable {
  private let source: String

  /// - Parameter source: the configured name of the order source.
  package init(source: String) {
    self.source = source
  }

  /// Reads one landed line.
  ///
  /// - Throws: `JSONError` when the line is not what `OrderSource` lands.
  package func read(_ record: JSONValue, stream: OrderStream, from origin: Origin) throws -> LandedOrder {
    let location = try record["location"].string()
    if let reason = try record["quarantine"].optionalString() {
      let id = try record["record_id"].optionalString() ?? ""
      return .quarantined(QuarantinedRow(location: location, recordID: id, reason: reason))
    }
    let cells = try LandedRow.cells(of: record, stream)
    let rules = RowRules(cells: cells)
    do throws(RowProblem) {
      switch stream {
      case .orders: return .order(try rules.order(source: source, origin: origin), location: location)
      case .refunds: return .refund(try rules.refund(source: source, origin: origin), location: location)
      case .inits: return .initCall(try rules.initCall(source: source, origin: origin))
      }
    } catch {
      return .quarantined(QuarantinedRow(location: location, recordID: cells.id, reason: error.description))
    }
  }
}
