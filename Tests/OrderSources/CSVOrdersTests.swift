import Foundation
import Landing
import Payments
import Settings
import Testing

@testable import OrderSources

/// Orders from CSV files: docs/contract.md section 3.
@Suite struct CSVOrdersTests {
  private static let header = "order_id,placed_at,status,currency,total"

  /// Pulls one orders file.
  private func pull(_ text: String, in workplace: Workplace) async throws -> OrderPullOutcome {
    let path = try workplace.write("orders.csv", text.utf8)
    return try await workplace.pull(CSVOrders(name: "shop", orders: path, refunds: nil))
  }

  @Test func `an order comes back from the landing zone as the file says it`() async throws {
    try await Workplace.with { workplace in
      let outcome = try await pull(
        """
        \u{feff}total,order_id,colour,payment_references,status,placed_at,currency,tender,\
        provider,seller_account,application_fee\r
        10.00,o-1,red,"pi_1 ch_1  pi_1\nTOKEN",paid,2026-03-01T10:00:00+01:00,eur,4.50,stripe,acct_1,0.75\r
        500, o-2 ,,,partially_refunded,2026-03-01 09:00:00.5z,JPY,,,,0\r
        1.234,o-3,"a ""red"", one",,pending,2026-03-01t09:00:00Z,KWD,,,,\r

        """, in: workplace)
      #expect(outcome.rows == 3 && outcome.refused == 0 && outcome.isComplete)
      #expect(outcome.unknownColumns == ["orders.csv: colour"])
      let origin = { Origin(file: 1, line: $0, observedAt: Workplace.now, rangeTo: Workplace.rangeTo) }
      #expect(
        try workplace.landed() == [
          .order(
            Order(
              orderID: "o-1", source: "shop", placedAt: 1_772_355_600, status: .paid, currency: "EUR", totalMinor: 1000,
              tenderMinor: 450, provider: "stripe", sellerAccount: "acct_1", applicationFeeMinor: 75,
              paymentReferences: ["pi_1", "ch_1", "TOKEN"], origin: origin(1)), location: "orders.csv:2"),
          .order(
            Order(
              orderID: "o-2", source: "shop", placedAt: 1_772_355_600, status: .partiallyRefunded, currency: "JPY",
              totalMinor: 500,
              tenderMinor: 500, applicationFeeMinor: 0, paymentReferences: [], origin: origin(2)),
            location: "orders.csv:3"),
          .order(
            Order(
              orderID: "o-3", source: "shop", placedAt: 1_772_355_600, status: .pending, currency: "KWD",
              totalMinor: 1234,
              tenderMinor: 1234, paymentReferences: [], origin: origin(3)), location: "orders.csv:4"),
        ])
    }
  }

  @Test func `the manifest says what the delivery claims`() async throws {
    try await Workplace.with { workplace in
      _ = try await pull("\(Self.header)\n", in: workplace)
      let manifest = try #require(try workplace.landing.manifests(asOf: nil).first)
      #expect(manifest.complete && manifest.objects == 0 && manifest.provider == "shop" && manifest.stream == "orders")
      #expect(manifest.pull.coversFrom == Workplace.rangeFrom && manifest.pull.watermark == Workplace.now)
    }
  }

  /// Each bad cell, and the column that its reason names first.
  private static let badCells: [(row: String, reason: String)] = [
    (",2026-03-01T10:00:00Z,paid,EUR,1.00", "order_id: is empty"),
    ("  ,2026-03-01T10:00:00Z,paid,EUR,1.00", "order_id: is empty"),
    ("o-9,2026-03-01T10:00:00,paid,EUR,1.00", "placed_at: "), ("o-9,2026-02-29T10:00:00Z,paid,EUR,1.00", "placed_at: "),
    ("o-9,01/03/2026,paid,EUR,1.00", "placed_at: "), ("o-9,,paid,EUR,1.00", "placed_at: "),
    ("o-9,2026-03-01T10:00:00Z,Paid,EUR,1.00", "status: \"Paid\" is none of pending, paid"),
    ("o-9,2026-03-01T10:00:00Z,,EUR,1.00", "status: "), ("o-9,2026-03-01T10:00:00Z,paid,EURO,1.00", "currency: "),
    ("o-9,2026-03-01T10:00:00Z,paid,,1.00", "currency: "), ("o-9,2026-03-01T10:00:00Z,paid,EUR,1.000", "total: "),
    ("o-9,2026-03-01T10:00:00Z,paid,JPY,1.0", "total: "), ("o-9,2026-03-01T10:00:00Z,paid,EUR,\"1,00\"", "total: "),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,1e2", "total: "), ("o-9,2026-03-01T10:00:00Z,paid,EUR,", "total: "),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,-0.01", "total: -0.01 EUR is negative"),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,99999999999999999999", "total: "),
    (
      "o-9,2026-03-01T10:00:00Z,paid,EUR,92233720368547758.07",
      "total: found 9223372036854775807 minor units, expected at most 10^15"
    ),
    (
      "o-9,2026-03-01T10:00:00Z,paid,EUR,10000000000000.01",
      "total: found 1000000000000001 minor units, expected at most 10^15"
    ),
    (
      "o-9,1999-12-31T23:59:59Z,paid,EUR,1.00",
      "placed_at: found \"1999-12-31T23:59:59Z\", expected a moment of the years 2000 to 2100"
    ),
    (
      "o-9,2101-01-01T00:00:00Z,paid,EUR,1.00",
      "placed_at: found \"2101-01-01T00:00:00Z\", expected a moment of the years 2000 to 2100"
    ),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR", "the row has 4 cells, the header 5"),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,1.00,", "the row has 6 cells, the header 5"),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,\"1.00\"0", "text follows a closing quote"),
    ("o-9,2026-03-01T10:00:00Z,paid,EUR,\"1.00", "a quote is opened and never closed"),
    ("o-1,2026-03-01T10:00:00Z,paid,EUR,1.00", "order_id: is repeated"),
  ]

  @Test(arguments: badCells)
  func `a bad row is kept aside with its place and reason, and the rest goes on`(row: String, reason: String)
    async throws
  {
    try await Workplace.with { workplace in
      let good = { (number: Int) in "o-\(number),2026-03-01T10:00:00Z,paid,EUR,1.00" }
      let outcome = try await pull("\(Self.header)\n\(good(1))\n\(row)\n\(good(2))\n", in: workplace)
      #expect(outcome.rows == 2 && outcome.refused == 1 && outcome.isComplete)
      let refused = try #require(outcome.quarantined.first)
      #expect(refused.location == "orders.csv:3")
      #expect(refused.reason.hasPrefix(reason))
      try #expect(workplace.refused() == [refused])
      try #expect(workplace.orders().map(\.orderID) == ["o-1", "o-2"])
    }
  }

  @Test func `a refused row keeps the id that it has, and a long cell is cut`() async throws {
    try await Workplace.with { workplace in
      let long = String(repeating: "x", count: 500)
      let outcome = try await pull("\(Self.header)\no-7,\(long),paid,EUR,1\n", in: workplace)
      let refused = try #require(outcome.quarantined.first)
      #expect(refused.recordID == "o-7")
      #expect(refused.reason.count < 200)
    }
  }

  @Test func `cells that are not UTF-8 are refused where we read them only`() async throws {
    try await Workplace.with { workplace in
      let bad: [UInt8] = [0xff, 0xe9]
      let row = { (id: [UInt8], note: [UInt8]) in id + Array(",2026-03-01T10:00:00Z,paid,EUR,1,".utf8) + note + [10] }
      let bytes = Array("\(Self.header),note\n".utf8) + row(bad, []) + row(Array("o-2\0".utf8), bad)
      let source = CSVOrders(name: "shop", orders: try workplace.write("orders.csv", bytes), refunds: nil)
      try await #expect(workplace.pull(source).quarantined.map(\.reason) == ["order_id: is not UTF-8"])
      try #expect(workplace.orders().map(\.orderID) == ["o-2"])
    }
  }

  @Test(arguments: [
    ("order_id,placed_at,status,currency\n", "the required column total is missing; found order_id, placed_at"),
    ("id;placed_at;status\n", "the required columns order_id, placed_at, status, currency, total are missing"),
    ("", "missing"), ("order_id,placed_at,status,currency,total,total\n", "the column total is repeated"),
    ("\u{0}o\u{0}r\n", "missing"),
  ])
  func `a header without what is needed refuses the file, and nothing lands`(text: String, reason: String) async throws
  {
    try await Workplace.with { workplace in
      let error = try #require(await #expect(throws: OrderSourceError.self) { try await pull(text, in: workplace) })
      #expect(error.description.contains(reason) && error.description.contains("orders.csv"))
      try #expect(workplace.landing.manifests(asOf: nil).isEmpty)
      #expect(OrderSourceError.exitStatus == 65)
    }
  }

  @Test func `a file that is not there refuses the source, also when it is the second one`() async throws {
    try await Workplace.with { workplace in
      let orders = try workplace.write("orders.csv", "\(Self.header)\n".utf8)
      for (orders, refunds) in [
        (workplace.folder + "/none.csv", nil), (workplace.folder, nil), (orders, workplace.folder + "/no.csv"),
      ] {
        let source = CSVOrders(name: "shop", orders: orders, refunds: refunds)
        await #expect(throws: OrderSourceError.self) { try await workplace.pull(source) }
      }
      try #expect(workplace.landing.manifests(asOf: nil).isEmpty)
    }
  }

  @Test func `refunds have columns and rules of their own`() async throws {
    try await Workplace.with { workplace in
      let orders = try workplace.write("orders.csv", "\(Self.header)\n".utf8)
      let refunds = try workplace.write(
        "order_refunds.csv",
        """
        refund_id,order_id,refunded_at,currency,amount,payment_reference
        r-1,o-1,2026-03-01T10:00:00Z,EUR,2.50,re_1
        r-2,,2026-03-01T10:00:00Z,EUR,2.50,
        r-3,o-1,2026-03-01T10:00:00Z,EUR,2.50,
        r-1,o-1,2026-03-01T10:00:00Z,EUR,2.50,
        """.utf8)
      let source = CSVOrders(name: "shop", orders: orders, refunds: refunds)
      #expect(source.streams == ["orders", "order_refunds"])
      let outcome = try await workplace.pull(source)
      #expect(outcome.rows == 2)
      #expect(
        outcome.quarantined.map { "\($0.location) \($0.recordID)" } == [
          "order_refunds.csv:3 r-2", "order_refunds.csv:5 r-1",
        ])
      let origin = Origin(file: 1, line: 1, observedAt: Workplace.now, rangeTo: Workplace.rangeTo)
      let first = OrderRefund(
        refundID: "r-1", source: "shop", orderID: "o-1", refundedAt: 1_772_359_200, currency: "EUR", amountMinor: 250,
        paymentReference: "re_1", origin: origin)
      try #expect(workplace.landed(.refunds).first == .refund(first, location: "order_refunds.csv:2"))
    }
  }

  @Test func `no prefix of a file brings the pull down`() async throws {
    let text =
      "\u{feff}\(Self.header),note\r\no-1,2026-03-01T10:00:00Z,paid,EUR,1.00,\"a "
      + "\"\"b\"\"\r\nc\"\r\no-2,x,paid,EUR,漢,\"\r\n"
    try await Workplace.with { workplace in
      for length in 0...text.utf8.count {
        let path = try workplace.write("orders.csv", text.utf8.prefix(length))
        do {
          _ = try await workplace.pull(
            CSVOrders(name: "shop", orders: path, refunds: nil), now: Workplace.now + Int64(length))
        } catch is OrderSourceError { continue }
      }
      try #expect(workplace.orders().allSatisfy { $0.orderID == "o-1" && ["EUR"].contains($0.currency) })
    }
  }
}
