import Landing
import Payments
import Settings
import Storage
import TestSupport
import Testing

@testable import OrderSources

/// Orders from a query against a PostgreSQL of the team's own.
@Suite struct QueryOrdersTests {
  private static let table = """
    create table web_order (
      id text, placed timestamptz, updated timestamptz, status text, currency text, total numeric(12,2),
      fee numeric(12,2), refs text)
    """
  private static let query = """
    -- The orders that changed in the window.
    select id as order_id, placed as placed_at, status, currency, total, fee as application_fee,
      refs as payment_references,
      'x' as note
    from web_order where updated >= $1 and updated < $2 order by id;
    """

  /// Runs the body with a database that holds a table of orders, and the URL of it.
  private func withOrders(_ rows: [String], _ body: (Workplace, String) async throws -> Void) async throws {
    try await Workplace.with { workplace in
      try await withStoreURL(.postgresql) { url in
        let database = try StoreURL(url).open()
        try database.execute(Self.table)
        for row in rows { try database.execute("insert into web_order values (\(row))") }
        try await body(workplace, url)
      }
    }
  }

  private func source(_ url: String, _ sql: String = query, in workplace: Workplace) throws -> QueryOrders {
    QueryOrders(
      name: "warehouse", url: Secret(url), query: try workplace.write("orders.sql", sql.utf8), refundsQuery: nil,
      lookBack: 45 * 86_400)
  }

  @Test func `rows of the window land like those of a file`() async throws {
    let rows = [
      "'o-1', '2026-03-01 11:00+01', '2026-03-01 12:00+00', 'paid', 'EUR', 10, 0.5, 'pi_1 ch_1'",
      "'o-2', '2026-01-20 10:00:00.25+00', '2026-01-20 10:00+00', 'refunded', 'EUR', 7, null, null",
      "'o-3', '2026-01-01 10:00+00', '2026-01-01 10:00+00', 'paid', 'EUR', 7, null, null",
      "'o-4', '2026-03-02 10:00+00', '2026-03-02 00:00+00', 'paid', 'EUR', 7, null, null",
      "'o-5', '2026-03-01 10:00+00', '2026-03-01 10:00+00', 'lost', 'EUR', 7, null, null",
    ]
    try await withOrders(rows) { workplace, url in
      let outcome = try await workplace.pull(source(url, in: workplace))
      #expect(
        outcome.rows == 2 && outcome.refused == 1 && outcome.isComplete
          && outcome.unknownColumns == ["orders.sql: note"])
      let orders = try workplace.orders()
      #expect(orders.map(\.orderID) == ["o-1", "o-2"] && orders.map(\.totalMinor) == [1000, 700])
      #expect(
        orders.map(\.placedAt) == [1_772_359_200, 1_768_903_200] && orders.map(\.applicationFeeMinor) == [50, nil])
      #expect(orders[0].paymentReferences == ["pi_1", "ch_1"])
      let refused = try workplace.refused()
      #expect(refused.map(\.location) == ["orders.sql:3"] && refused.map(\.recordID) == ["o-5"])
      let pull = try #require(try workplace.landing.manifests(asOf: nil).first).pull
      #expect(pull.windowFrom == Workplace.rangeFrom - 45 * 86_400 && pull.windowTo == Workplace.rangeTo)
    }
  }

  @Test(arguments: [
    "select 'o-1' as order_id, now() as placed_at, 'paid' as status, 'EUR' as currency, '1.00' as total",
    "select 'o-1' as order_id, now() as placed_at, 'paid' as status, 'EUR' as currency, '1.00' as total where now() "
      + ">= $1",
  ])
  func `a query that does without the bounds is fine`(sql: String) async throws {
    try await withOrders([]) { workplace, url in
      try await #expect(workplace.pull(source(url, sql, in: workplace)).rows == 1)
    }
  }

  @Test(arguments: [
    "select nowhere from web_order", "delete from web_order returning *", "selec 1", "select 'o-1' as order_id",
    "with gone as (delete from web_order returning *) select * from gone", "select 1; drop table web_order",
  ])
  func `a query that is wrong, or writes, refuses the source`(sql: String) async throws {
    let row = "'o-1', now(), now(), 'paid', 'EUR', 10, 0.5, ''"
    try await withOrders([row]) { workplace, url in
      await #expect(throws: OrderSourceError.self) { try await workplace.pull(source(url, sql, in: workplace)) }
      try #expect(workplace.landing.manifests(asOf: nil).isEmpty)
      try #expect(StoreURL(url).open().integer("select count(*) from web_order") == 1)
    }
  }

  @Test func `a query that breaks off lands what came, and is incomplete`() async throws {
    let sql = """
      select 'o-' || i as order_id, now() as placed_at, 'paid' as status, 'EUR' as currency,
        (2000 / (2000 - i))::text as total
      from generate_series(1, 3000) as i
      """
    try await withOrders([]) { workplace, url in
      let outcome = try await workplace.pull(source(url, sql, in: workplace))
      #expect(!outcome.isComplete && outcome.rows == 1000 && outcome.reason?.contains("22012") == true)
      try #expect(workplace.landing.manifests(asOf: nil).map(\.complete) == [false])
    }
  }

  @Test func `a database that is down makes the source incomplete, and its password stays unsaid`() async throws {
    try await Workplace.with { workplace in
      let url = "postgresql://ada:hunter2@127.0.0.1:1/orders?connect_timeout=1"
      let outcome = try await workplace.pull(source(url, in: workplace))
      let manifests = try workplace.landing.manifests(asOf: nil)
      #expect(!outcome.isComplete && outcome.rows == 0 && manifests.map(\.complete) == [false])
      #expect(outcome.reason?.contains("127.0.0.1:1/orders") == true && outcome.reason?.contains("hunter2") == false)
      #expect(manifests[0].reason == outcome.reason)
    }
  }

  @Test func `a missing query file or a URL of something else refuses the source`() async throws {
    try await Workplace.with { workplace in
      let missing = QueryOrders(
        name: "warehouse", url: Secret("postgresql:///x"), query: "/nowhere/orders.sql", refundsQuery: nil, lookBack: 0)
      await #expect(throws: OrderSourceError.self) { try await workplace.pull(missing) }
      let other = try source("mysql://ada:hunter2@host/x", in: workplace)
      let error = await #expect(throws: OrderSourceError.self) { try await workplace.pull(other) }
      #expect(error?.description.contains("hunter2") == false)
    }
  }
}
