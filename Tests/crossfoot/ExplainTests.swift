import Foundation
import TestSupport
import Testing

@Suite("Stories of ids", .onItsOwnThread)
struct ExplainTests {
  private struct Shop {
    let folder: TemporaryFolder

    func run(_ arguments: [String]) throws -> CommandRun {
      try CommandRun(arguments + ["--resources", NightSite.checkout], in: folder.path + "/demo")
    }

    /// The cells of a column of a published file, in the order of its rows, with the provider of each.
    func column(_ name: String, _ file: String) throws -> [(provider: String, value: String)] {
      let lines = try folder.read("demo/output/latest/\(file)").split(separator: "\n").map {
        $0.components(separatedBy: ",")
      }
      let place = try #require(lines[0].firstIndex(of: name))
      return lines.dropFirst().filter { $0.count > place }.map { ($0[0], $0[place]) }
    }

    func records(_ run: CommandRun) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.errors)")
    }
  }

  /// A demo whose store is of the engine, derived again from its landing zone.
  private func withShop(_ engine: TestStore, _ body: (Shop) throws -> Void) throws {
    let shop = Shop(folder: try DemoNight.publish().folder)
    guard engine != .sqlite else { return try body(shop) }
    try withStoreURL(engine) { url in
      let text = try shop.folder.read("demo/crossfoot.yml").replacing(
        /(?m)^  url: "?sqlite:.*$/, with: "  url: \"\(url)\"")
      try shop.folder.write("demo/crossfoot.yml", text)
      let rebuilt = try shop.run(["rebuild"])
      #expect(rebuilt.status == 0 && text.contains(url), "\(rebuilt.errors)")
      let check = try shop.run(["check", "missing_payment", "--date", "2026-03-05"])
      #expect(check.status == 0 && check.output.contains(" at the end of 2026-03-05"), "\(check.errors)")
      try body(shop)
    }
  }

  @Test(
    "Payouts by bank reference, batches by number, accounts, rows of no payment, and discrepancies are known",
    arguments: TestStore.all)
  func everything(engine: TestStore) throws {
    try withShop(engine) { shop in try expectEverything(shop, isPublished: engine == .sqlite) }
  }

  private func expectEverything(_ shop: Shop, isPublished: Bool) throws {
    let payouts = try shop.column("payout_id", "payouts.csv")
    let reference = try #require(
      try shop.column("bank_reference", "payouts.csv").first { $0.provider == "stripe" }?.value)
    let batch = try #require(payouts.first { $0.provider == "adyen_nl" }?.value)
    let connected = try #require(try shop.column("connected_account", "connected_accounts.csv").first?.value)
    let cases: [(id: String, words: String)] = [
      (reference, "Payout stripe:po_"), (String(batch.dropFirst("AcmeNL/".count)), "Payout adyen_nl:\(batch)"),
      ("acct_platform0001", "Account stripe:acct_platform0001"), (connected, "Connected account stripe:\(connected)"),
    ]
    for (id, words) in cases {
      let story = try shop.run(["explain", id])
      #expect(story.status == 0 && story.output.hasPrefix(words), "\(id): \(story.output.prefix(200))\(story.errors)")
    }
    let rows = try shop.folder.read("demo/output/latest/entries.csv").split(separator: "\n").map {
      $0.components(separatedBy: ",")
    }
    let alone = try #require(rows.first { $0[1] == "stripe" && $0[3].isEmpty && $0[5] == "fee" })
    let row = try shop.run(["explain", alone[16]])
    #expect(
      row.output.hasPrefix("Record stripe:\(alone[16])\n") && row.output.contains("  Entries\n"),
      "\(row.output)\(row.errors)")
    let group = try #require(try shop.column("group_id", "order_matches.csv").first?.value)
    for id in [alone[0], group] {
      let story = try shop.run(["explain", id])
      #expect(story.status == 0, "\(id): \(story.errors)")
    }
    let near = try shop.run(["explain", "ORD-1-00"])
    #expect(near.status == 64 && near.errors.contains("did you mean ORD-1-00"), "\(near.errors)")
    guard isPublished else { return }
    for id in try shop.folder.read("demo/output/latest/discrepancies.csv").split(separator: "\n").dropFirst().map({
      String($0.prefix(18))
    }) {
      let story = try shop.run(["explain", id])
      #expect(story.status == 0 && story.output.contains("  \(id)  "), "\(id): \(story.errors)")
    }
  }

  @Test(
    "A date of two settlements, and a day written in two ways, ask which one is meant; what they offer is answered"
  )
  func ambiguous() throws {
    let shop = Shop(folder: try DemoNight.publish().folder)
    for id in ["2026-03-05", "03/05/2026"] {
      let asked = try shop.run(["explain", id])
      #expect(asked.status == 64 && asked.output.isEmpty)
      #expect(asked.errors.contains("\(id) matches 2 records; choose one"), "\(asked.errors)")
      for name in ["afterpay-au:2026-03-05", "afterpay-us:2026-03-05"] {
        #expect(asked.errors.contains("crossfoot explain \(name)   payout "), "\(asked.errors)")
        let story = try shop.run(["explain", name])
        #expect(story.status == 0 && story.output.hasPrefix("Payout \(name)\n"), "\(story.errors)")
      }
      let chosen = try shop.run(["explain", id, "--provider", "afterpay-au"])
      #expect(chosen.status == 0 && chosen.output.hasPrefix("Payout afterpay-au:2026-03-05\n"), "\(chosen.errors)")
    }
    let listed = try shop.records(try shop.run(["explain", "2026-03-05", "--format", "json"]))
    #expect(
      (listed["candidates"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == [
        "afterpay-au:2026-03-05", "afterpay-us:2026-03-05",
      ])
  }

  @Test("JSON is records: amounts, currencies and places of their own")
  func json() throws {
    let shop = Shop(folder: try DemoNight.publish().folder)
    let order = try #require(
      try shop.folder.read("demo/orders.csv").split(separator: "\n").dropFirst().first?.split(separator: ",").first)
    let story = try shop.records(try shop.run(["explain", String(order), "--format", "json"]))
    let parts = try #require(story["parts"] as? [[String: Any]])
    #expect(parts.compactMap { ($0["subject"] as? [String: Any])?["kind"] as? String } == ["order", "payment"])
    let record = try #require((parts[0]["records"] as? [[String: Any]])?.first)
    #expect(
      (record["amount"] as? String)?.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil
        && (record["currency"] as? String)?.count == 3)
    #expect((record["file"] as? String)?.hasSuffix(".jsonl.zst") == true && (record["line"] as? Int ?? 0) > 0)
    #expect((parts[1]["fund_flows"] as? [[String: Any]])?.isEmpty == false)
    #expect((story["matches"] as? [[String: Any]])?.first?["match_status"] as? String != nil)
  }

  @Test("An id that nothing bears is refused with those that are nearly it; before any run that is said")
  func nothing() async throws {
    let shop = Shop(folder: try DemoNight.publish().folder)
    let order = String(
      try #require(
        try shop.folder.read("demo/orders.csv").split(separator: "\n").dropFirst().first?.split(separator: ",").first))
    let near = try shop.run(["explain", order.lowercased()])
    #expect(near.status == 64 && near.errors.contains("did you mean \(order)?"), "\(near.errors)")
    try await NightSite.serve(orders: 20) { site in
      let early = try await CommandRun(["explain", "ch_1", "--resources", NightSite.checkout], in: site.folder.path)
      #expect(early.status == 64 && early.errors.contains("nothing has landed yet"), "\(early.errors)")
    }
  }

  @Test("status and discrepancies show one provider where they are asked to")
  func oneProvider() throws {
    let shop = Shop(folder: try DemoNight.publish().folder)
    let status = try shop.records(try shop.run(["status", "--provider", "paypal", "--format", "json"]))
    let sources = try #require(status["sources"] as? [[String: Any]]).compactMap { $0["source"] as? String }
    #expect(Set(sources) == ["paypal"])
    func cases(_ status: [String: Any]) -> Int {
      ((status["open_discrepancies"] as? [[String: Any]]) ?? []).reduce(0) { $0 + ($1["cases"] as? Int ?? 0) }
    }
    let all = try shop.records(try shop.run(["status", "--format", "json"]))
    let listed = try shop.column("provider", "discrepancies.csv")
    #expect(
      cases(all) == listed.count && cases(status) == listed.filter { $0.value == "paypal" }.count,
      "\(cases(all)) \(cases(status))")
  }

  @Test("A refund of an order that no source has delivered is named by the log and by run.json, and explained")
  func unknownOrder() async throws {
    try await NightSite.serve(orders: 6) { site in
      let refunds = try site.folder.read("order_refunds.csv")
      let row = "RF-NOBODY,ORD-NOBODY,2026-03-06T06:36:00Z,EUR,62.20,\n"
      try site.folder.write("order_refunds.csv", refunds + row)
      let run = try await site.run()
      run.expect(0)
      #expect(
        run.errors.contains(
          "shop: refund RF-NOBODY of the orders' refunds names an order that no source has delivered"),
        "\(run.errors)")
      let record = try site.folder.read("output/\(site.range())/run.json")
      let body = try #require(try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any])
      let named = try #require(body["refunds_of_unknown_orders"] as? [[String: Any]])
      #expect(named.count == 1 && named[0]["order_id"] as? String == "ORD-NOBODY" && named[0]["refunds"] as? Int == 1)
      for id in ["RF-NOBODY", "ORD-NOBODY"] {
        let story = try await CommandRun(
          ["explain", id, "--resources", NightSite.checkout], in: site.folder.path,
          environment: ["STRIPE_API_KEY": NightSite.key])
        #expect(story.status == 0 && story.output.contains("RF-NOBODY  62.20 EUR"), "\(story.output)\(story.errors)")
      }
    }
  }
}
