import Foundation
import Testing

@testable import Marketplace

@Suite struct MarketTests {
  static let seeds: [UInt64] = Array(1...10)

  private func market(_ seed: UInt64, orders: Int = 400, faults: Int = 90) throws -> Market {
    try Market.generate(MarketPlan(seed: seed, orders: orders, faults: faults))
  }

  @Test func `the same seed gives the same bytes, and another seed others`() throws {
    let (first, second) = (try market(7), try market(7))
    #expect(first.truth == second.truth)
    #expect(first.nights.map(\.orders) == second.nights.map(\.orders))
    #expect(first.nights.map { $0.objects.map(\.json) } == second.nights.map { $0.objects.map(\.json) })
    #expect(try market(8).truth != first.truth)
  }

  @Test func `over ten seeds every type is planted at least five times and has a look-alike`() throws {
    var planted: [FaultType: Int] = [:]
    var resembled: Set<FaultType> = []
    for seed in Self.seeds {
      let market = try market(seed)
      for fault in market.planted { planted[fault.type, default: 0] += 1 }
      resembled.formUnion(market.lookAlikes.flatMap(\.resembles))
    }
    for type in FaultType.stripe {
      #expect(
        planted[type, default: 0] >= 5,
        "\(type.rawValue) is planted \(planted[type, default: 0]) times in seeds 1 to 10")
      #expect(resembled.contains(type), "nothing looks like \(type.rawValue)")
    }
  }

  @Test(arguments: seeds) func `no order or payment carries two faults, and no look-alike carries one`(seed: UInt64)
    throws
  {
    let market = try market(seed)
    var seen: Set<String> = []
    for fault in market.planted {
      for id in fault.orderIDs + fault.paymentIDs {
        #expect(seen.insert(id).inserted, "\(id) carries two faults, seed \(seed)")
      }
    }
    for lookAlike in market.lookAlikes {
      #expect(seen.isDisjoint(with: lookAlike.orderIDs + lookAlike.paymentIDs), "\(lookAlike.story), seed \(seed)")
    }
  }

  @Test(arguments: [1, 2] as [UInt64]) func `the ledger's own sums hold, except where a fault says otherwise`(
    seed: UInt64
  ) throws {
    let market = try market(seed)
    let broken = Set(market.planted.filter { $0.type == .feeSumMismatch }.flatMap(\.recordIDs))
    let wrongPayouts = Set(market.planted.filter { $0.type == .payoutMismatch }.flatMap(\.recordIDs))
    let rows = try market.nights[0].objects.filter { $0.object == "balance_transaction" }.map {
      try JSONTree.parse($0.json)
    }
    var nets: [String: Int64] = [:]
    for row in rows {
      let (amount, fee, net) = (number(row, "amount"), number(row, "fee"), number(row, "net"))
      let id = try #require(row["id"]?.word)
      nets[id] = net
      #expect(net == amount - fee)
      let parts = (row["fee_details"]?.elements ?? []).reduce(0) { $0 + number($1, "amount") }
      #expect((parts == fee) != broken.contains(id), "\(id), seed \(seed)")
    }
    for payout in market.nights[0].objects where payout.object == "payout" {
      let tree = try JSONTree.parse(payout.json)
      let lines = market.nights[0].payouts[payout.id] ?? []
      let sum = lines.reduce(0) { $0 + (nets[$1] ?? 0) }
      if tree["automatic"] == .bool(true) {
        #expect((sum == number(tree, "amount")) != wrongPayouts.contains(payout.id))
      }
      #expect(nets[try #require(tree["balance_transaction"]?.word)] == -number(tree, "amount"))
    }
  }

  private func number(_ tree: JSONTree, _ member: String) -> Int64 {
    tree[member]?.word.flatMap { Int64($0) } ?? 0
  }

  @Test func `every object is JSON, begins inside its night and names only objects that exist`() throws {
    let market = try market(3)
    let known = Set(market.nights.flatMap(\.objects).map(\.id))
    for (place, night) in market.nights.enumerated() {
      for object in night.objects {
        let tree = try JSONTree.parse(object.json)
        #expect(object.created >= market.plan.startsAt && object.created < market.plan.end(of: place + 1))
        for member in [
          "charge", "payment_intent", "balance_transaction", "transfer", "source_transaction", "transfer_reversal",
        ] {
          guard let id = tree[member]?.word, !id.hasPrefix("py_") || member != "charge" || object.object == "refund"
          else {
            continue
          }
          #expect(known.contains(id), "\(object.id).\(member) = \(id)")
        }
      }
    }
  }

  @Test func `the endpoint serves the whole market page by page, and its balance is the sum of its rows`() async throws
  {
    let market = try market(4, orders: 250, faults: 45)
    let endpoint = StripeEndpoint()
    market.fill(endpoint)
    let visitor = Visitor(base: try await endpoint.start())
    for list in StripeList.allCases {
      let expected = market.nights[0].objects.filter { $0.object == list.object }.map(\.id)
      let ids = try await visitor.ids("/v1/\(list.rawValue)", limit: 97)
      #expect(Set(ids) == Set(expected))
      #expect(ids.count == expected.count)
    }
    let nets = Dictionary(grouping: market.nights[0].objects, by: { $0.keys["currency"] ?? "" }).mapValues {
      $0.reduce(0) { $0 + $1.net }
    }
    for part in try await visitor.ask("/v1/balance").tree["available"]?.elements ?? [] {
      #expect(number(part, "amount") == nets[part["currency"]?.word ?? ""])
    }
    await endpoint.stop()
  }

  @Test func `the files are those that the program reads, and hold no personal value`() throws {
    let market = try market(5)
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("market-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    try market.write(to: directory, baseURL: "http://127.0.0.1:1")
    for name in ["orders.csv", "order_refunds.csv", "crossfoot.yml", "truth.json"] {
      let text = try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
      #expect(text.count > 200)
      for trace in Market.personalTraces { #expect(!text.contains(trace), "\(name) holds \(trace)") }
    }
    let served = market.nights[0].objects.map(\.json).joined()
    for trace in Market.personalTraces { #expect(served.contains(trace), "no object holds \(trace)") }
    _ = try JSONTree.parse(market.truth)
  }

  @Test func `more faults than a type has room for are refused`() {
    #expect(throws: MarketplaceError.tooManyFaults(asked: 9, room: 1)) {
      try Market.generate(MarketPlan(seed: 1, orders: 10, faults: 9, types: [.balanceMismatch]))
    }
  }

  @Test func `instants and amounts are written exactly`() {
    #expect(Moment.text(1_772_323_200) == "2026-03-01T00:00:00Z")
    #expect(Moment.text(951_782_399) == "2000-02-28T23:59:59Z")
    #expect(Tender.text(-5, "usd") == "-0.05")
    #expect(Tender.text(1_230, "kwd") == "1.230")
    #expect(Tender.text(500, "jpy") == "500")
    #expect(Tender.cad(rate: 73_456).settled(1_000) == 735)
    #expect(Tender.cad(rate: 73_456).rateText == "0.73456")
  }
}
