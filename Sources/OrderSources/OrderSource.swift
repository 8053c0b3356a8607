import Landing

/// Where internal orders come from: one configured source, which lands what it delivers.
package protocol OrderSource: Sendable {
  /// The configured name: the folder in the landing zone.
  var name: String { get }
  /// `orders`, and `order_refunds` where the source has them.
  var streams: Set<String> { get }
  /// Lands the orders of a range; a row that cannot be read lands as refused.
  ///
  /// - Throws: `OrderSourceError` when the source is refused as a whole (exit 65).
  func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) async throws -> OrderPullOutcome
}

/// How a source's delivery went.
package struct OrderPullOutcome: Sendable {
  package var rows: Int
  package var refused: Int
  package var unknownColumns: [String]
  package var isComplete: Bool
  /// A sentence for people when it is not complete.
  package var reason: String?

  package init(rows: Int, refused: Int = 0, unknownColumns: [String] = [], isComplete: Bool = true, reason: String? = nil) {
    self.rows = rows
    self.refused = refused
    self.unknownColumns = unknownColumns
    self.isComplete = isComplete
    self.reason = reason
  }
}
