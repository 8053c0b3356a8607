import Storage
import TestSupport
import Testing

@testable import Reconciliation

@Suite("Where the coverage of an order source begins")
struct StreamsTests {
  /// Two deliveries: read at 100 for what happened from 50 on, and read at 300 for what happened from 200 on.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Where the second one's window begins; 0: it was asked for everything.
    var windowFrom: Int64 = 0
    /// When the oldest order of the second one was placed; nil: it has none.
    var oldest: Int64?
    /// When the oldest refund that landed with it was made.
    var refund: Int64?
    let coversFrom: Int64
  }

  @Test(
    arguments: TestStore.all,
    [
      Case(testDescription: "it reaches back to before the gap", oldest: 60, coversFrom: 50),
      Case(testDescription: "it begins after the gap", oldest: 250, coversFrom: 200),
      Case(testDescription: "it is empty", coversFrom: 200),
      Case(testDescription: "its refunds reach back", oldest: 250, refund: 90, coversFrom: 50),
      Case(testDescription: "an old order in the answer for a window", windowFrom: 190, oldest: 60, coversFrom: 200),
    ])
  func `days without a run are a gap unless a delivery of everything reaches back`(engine: TestStore, line: Case) throws
  {
    try withStore(engine) { database in
      try Self.deliver(1, at: 100, window: 0, coversFrom: 50, database)
      try Self.deliver(2, at: 300, window: line.windowFrom, coversFrom: 200, database)
      if let placedAt = line.oldest {
        try database.execute(
          """
          insert into customer_order (order_id, source, placed_at, status, currency, total_minor, tender_minor,
            landed_file, landed_line)
          values ('O-1', 'shop', $1, 'paid', 'USD', 100, 100, 2, 1)
          """, [.integer(placedAt)])
      }
      if let refundedAt = line.refund {
        try database.execute(
          """
          insert into order_refund (refund_id, source, order_id, refunded_at, currency, amount_minor, landed_file,
            landed_line)
          values ('R-1', 'shop', 'O-0', $1, 'USD', 100, 2, 1)
          """, [.integer(refundedAt)])
      }
      let extents = try Streams(database: database, rangeEnd: 290).extents(ofOrders: "shop")
      #expect(extents["orders"]?.coversFrom == line.coversFrom)
    }
  }

  private static func deliver(
    _ id: Int64, at instant: Int64, window: Int64, coversFrom: Int64, _ database: any Database
  ) throws {
    try database.execute(
      """
      insert into landed_file (file_id, path, source, stream, observed_at, window_from, window_to, covers_from,
        watermark, range_from, range_to, complete, objects, sha256)
      values ($1, $2, 'shop', 'orders', $3, $4, $3, $5, $3, $5, $3, 1, 1, 'x')
      """, [.integer(id), .text("\(id)"), .integer(instant), .integer(window), .integer(coversFrom)])
  }
}
