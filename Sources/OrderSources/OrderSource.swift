import Landing
import Settings

/// Where internal orders come from: one configured source, which lands what it delivers.
package protocol OrderSource: Sendable {
  /// The configured name: the folder in the landing zone.
  var name: String { get }
  /// `orders`, and `order_refunds` or `payment_inits` where the source has them.
  var streams: Set<String> { get }
  /// Lands the orders of a range; a row that cannot be read lands as refused.
  ///
  /// - Parameters:
  ///   - rangeFrom: the reported range's first instant, Unix seconds UTC.
  ///   - rangeTo: the range's end, half-open.
  ///   - now: the time of the pull.
  /// - Throws: `OrderSourceError` when the source is refused as a whole (exit 65; then nothing of it is landed),
  ///   `LandingError`.
  func pull(rangeFrom: Int64, rangeTo: Int64, now: Int64, into landing: Landing) async throws -> OrderPullOutcome
  /// Why the source cannot be reached at all; nil where it can, or where waiting would not help.
  func outage() async -> String?
}

extension OrderSource {
  /// Files exist or not; waiting does not help.
  package func outage() async -> String? { nil }
}

/// The configured sources, ready to be pulled.
package enum OrderSourceList {
  /// A source for each entry, in their order.
  package static func make(_ entries: [OrderSourceEntry]) throws -> [any OrderSource] {
    entries.map { entry in
      switch entry.kind {
      case .csv(let orders, let refunds): CSVOrders(name: entry.name, orders: orders, refunds: refunds)
      case .postgresql(let url, let query, let refundsQuery):
        QueryOrders(name: entry.name, url: url, query: query, refundsQuery: refundsQuery, lookBack: entry.lookBack)
      case .par(let directory, let currency): PAROrders(name: entry.name, directory: directory, currency: currency)
      }
    }
  }
}

/// The outcome of a source's delivery.
package struct OrderPullOutcome: Sendable, Equatable {
  /// Good rows that were landed.
  package var rows: Int
  /// How many rows were refused.
  package var refused: Int
  /// The first 1000 of them; all are landed.
  package var quarantined: [QuarantinedRow] = []
  /// Columns that were delivered and not read, for the log, e.g. `orders.csv: colour`.
  package var unknownColumns: [String]
  /// Whether everything could be read; refused rows do not count here, they are in quarantine.
  package var isComplete: Bool
  /// A sentence for people when it is not complete.
  package var reason: String?

  package init(
    rows: Int = 0, refused: Int = 0, unknownColumns: [String] = [], isComplete: Bool = true, reason: String? = nil
  ) {
    self.rows = rows
    self.refused = refused
    self.unknownColumns = unknownColumns
    self.isComplete = isComplete
    self.reason = reason
  }

  /// Remembers a refused row.
  mutating func refuse(_ row: QuarantinedRow) {
    refused += 1
    if quarantined.count < 1000 { quarantined.append(row) }
  }

  /// Records that something could not be read.
  mutating func fail(_ why: String) {
    isComplete = false
    reason = reason.map { "\($0); \(why)" } ?? why
  }

  /// Adds the outcome of another stream of the same source.
  mutating func add(_ other: OrderPullOutcome) {
    rows += other.rows
    refused += other.refused
    quarantined += other.quarantined.prefix(max(0, 1000 - quarantined.count))
    unknownColumns += other.unknownColumns
    if let reason = other.reason { fail(reason) }
  }
}

/// The times of one pull, Unix seconds UTC.
struct PullSpan {
  var rangeFrom: Int64
  var rangeTo: Int64
  var now: Int64
}
