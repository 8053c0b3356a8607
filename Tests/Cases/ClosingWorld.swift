import Cryptography
import Foundation
import Landing
import Marketplace
import Payments
import Reconciliation
import Reports
import Storage
import Synchronization
import TestSupport
import Testing

/// A marketplace whose periods are closed on the way, while records come late and change.
struct ClosingWorld {
  let servers: MarketServers
  let folder: String
  let storeURL: String
  /// Named ranges by their last nights: a period ends with the day of a night.
  let periods: [(name: String, lastNight: Int)]
  var random: SeededGenerator
  private var late: [String] = []
  private var sealed: [String: String] = [:]
  private(set) var adjustments = 0
  private(set) var reasons: Set<String> = []

  init(_ servers: MarketServers, folder: String, storeURL: String, seed: UInt64, periods: [(String, Int)]) {
    (self.servers, self.folder, self.storeURL) = (servers, folder, storeURL)
    self.periods = periods.map { (name: $0.0, lastNight: $0.1) }
    random = SeededGenerator(seed: seed)
  }

  static let calendar = BusinessCalendar(timeZone: .gmt)
  private var plan: MarketPlan { servers.market.plan }

  private func day(_ night: Int) -> BusinessDay {
    Self.calendar.day(containing: plan.end(of: night) - 1)
  }

  /// The `periods:` of the configuration.
  var configuration: String {
    var first = Self.calendar.day(containing: plan.startsAt)
    var lines = ["periods:"]
    for period in periods {
      lines.append("  - {name: \(period.name), from: \(first), to: \(day(period.lastNight))}")
      first = day(period.lastNight).advanced(by: 1)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func night(_ number: Int) -> MarketNight {
    var night = MarketNight(servers: servers, night: number, folder: folder, storeURL: storeURL)
    night.further = configuration
    return night
  }

  /// Runs a night, closes what has ended, and compares.
  mutating func live(_ number: Int) async throws {
    if number > 2 { try disturb(number) }
    let report = try await night(number).report()
    adjustments = try lines("adjustments.jsonl").count
    reasons.formUnion(try lines("adjustments.jsonl").compactMap { $0["reason"] as? String })
    let proof = report.summary.figures.proofs.filter { $0.proof == "sealed_periods" }
    #expect(proof.allSatisfy { $0.failing == 0 }, "night \(number): \(proof)")
    if periods.contains(where: { $0.lastNight < number - 1 }) { #expect(!proof.isEmpty, "night \(number)") }
    try await expectTied(number)
    for period in periods where period.lastNight == number - 1 { try close(period.name, number) }
    try expectUnchanged(number)
  }

  /// The proof of sealed periods fails where the store's sums, or what it holds of a seal, are not what was sealed.
  func expectBroken(_ number: Int) async throws {
    for (isWhole, table) in [(false, "sealed_sum"), (true, "sealed_movement")] {
      var night = try night(number).make()
      (night.pulls, night.derivesWhole) = (false, isWhole)
      night.stageEnded = { stage, database in
        if stage == .checking { try database.execute("update \(table) set amount_minor = amount_minor + 1") }
      }
      let report = try await night.run()
      let proofs = report.summary.figures.proofs.filter { $0.proof == "sealed_periods" }
      #expect(proofs.contains { $0.failing > 0 } && report.verdict != .clean, "\(table): \(proofs)")
    }
  }

  mutating func close(_ name: String, _ number: Int) throws {
    let closing = try night(number).make().close(order(name, number))
    #expect(closing.isClosed, "\(closing.reasons.prefix(3))")
  }

  private func order(_ name: String, _ number: Int) throws -> CloseOrder {
    let night = try night(number).make()
    var order = CloseOrder(
      period: try Period(name, night.settings, Self.calendar), preparedBy: "ada", reviewedBy: "bo", note: "a test")
    order.overrides = true
    return order
  }

  /// Sealed files are as they were when they were first seen.
  private mutating func expectUnchanged(_ number: Int) throws {
    let closed = "\(folder)/output/closed"
    let names = (FileManager.default.subpaths(atPath: closed) ?? []).sorted()
    for name in names {
      guard let bytes = FileManager.default.contents(atPath: "\(closed)/\(name)") else { continue }
      let hash = SHA256.hash(bytes).hexadecimal
      #expect(sealed[name] ?? hash == hash, "night \(number): \(name)")
      sealed[name] = hash
    }
    #expect(sealed.keys.allSatisfy(names.contains), "night \(number)")
  }

  /// Rows that are dated long ago land only now, and rows come back different.
  private mutating func disturb(_ number: Int) throws {
    let landing = Landing(directory: "\(folder)/landing")
    let manifests = try landing.manifests(provider: "stripe", stream: "balance_transactions")
    guard let newest = manifests.last else { return }
    var lines: [String] = []
    for _ in 0..<(1 + random.next() % 2) {
      let span = UInt64(plan.end(of: number - 1) - plan.startsAt)
      let created = plan.startsAt - 86_400 + Int64(random.next() % (span + 86_400))
      late.append(row("txn_late_\(late.count)", amount: 100 + Int64(random.next() % 900), created: created))
      lines.append(late[late.count - 1])
    }
    if let known = late.randomElement(using: &random) {
      lines.append(known.replacing("\"amount\":", with: "\"amount\":1").replacing("\"net\":", with: "\"net\":1"))
    }
    if let manifest = manifests.randomElement(using: &random), random.next() % 3 == 0 {
      var charges: [String] = []
      try landing.read(manifest) { bytes, _ in
        let line = String(decoding: bytes, as: UTF8.self)
        if line.contains("\"type\":\"charge\"") && line.contains("\"fee\":0") { charges.append(line) }
      }
      if let charge = charges.randomElement(using: &random) {
        lines.append(charge.replacing("\"amount\":", with: "\"amount\":1").replacing("\"net\":", with: "\"net\":1"))
      }
    }
    let writer = try landing.open(newest.pull, observedAt: plan.end(of: number) + 60)
    for line in lines { try writer.append(line: Array(line.utf8)) }
    _ = try writer.finish(complete: true)
  }

  private func row(_ id: String, amount: Int64, created: Int64) -> String {
    """
    {"id":"\(id)","object":"balance_transaction","amount":\(amount),"available_on":\(created),\
    "balance_type":"payments",\
    "created":\(created),"currency":"usd","description":"late","exchange_rate":null,"fee":0,"fee_details":[],\
    "net":\(amount),"reporting_category":"other_adjustment","source":null,"status":"available","type":"adjustment"}
    """
  }

  /// A line of a log.
  func lines(_ log: String) throws -> [[String: Any]] {
    guard let text = try? String(contentsOfFile: "\(folder)/landing/\(log)", encoding: .utf8) else { return [] }
    return try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Whose figure it is, in which period.
  struct Place: Hashable, CustomStringConvertible {
    let period, provider, account, connectedAccount, currency, figure: String
    var description: String { "\(period) \(provider) \(account)\(connectedAccount) \(currency) \(figure)" }
  }

  /// What is sealed and what was noted since is what is derived from everything, to the cent.
  func expectTied(_ number: Int) async throws {
    let closes = try lines("periods.jsonl").filter { $0["action"] as? String == "close" }
    guard !closes.isEmpty else { return }
    var booked = try sealedSums(closes)
    for line in try lines("adjustments.jsonl") {
      func text(_ key: String) -> String { line[key] as? String ?? "" }
      let place = Place(
        period: text("period"), provider: text("provider"), account: text("account"),
        connectedAccount: text("connected_account"), currency: text("currency"), figure: text("figure"))
      booked[place, default: 0] += (line["change"] as? NSNumber)?.int64Value ?? 0
    }
    let bounds = closes.map { line in
      let seal = line["seal"] as? [String: Any] ?? [:]
      func instant(_ key: String) -> Int64 { (seal[key] as? NSNumber)?.int64Value ?? 0 }
      return (
        period: line["period"] as? String ?? "", covers: instant("covers_from"), starts: instant("starts_at"),
        ends: instant("ends_at")
      )
    }
    let derived = Mutex<[Place: Int64]>([:])
    var whole = try night(number).make()
    (whole.pulls, whole.keepsResults, whole.derivesWhole) = (false, false, true)
    whole.stageEnded = { stage, database in
      guard stage == .checking else { return }
      try database.query(
        "select provider, account, connected_account, currency, figure, booked_at, amount_minor from movement"
      ) { row in
        let at = try row.integer(5) ?? 0
        guard let period = bounds.first(where: { $0.covers <= at && at < $0.ends }) else { return }
        let place = Place(
          period: period.period, provider: row.text(0) ?? "", account: row.text(1) ?? "",
          connectedAccount: row.text(2) ?? "", currency: row.text(3) ?? "",
          figure: at < period.starts ? "opening" : row.text(4) ?? "")
        let minor = try row.integer(6) ?? 0
        derived.withLock { $0[place, default: 0] += minor }
      }
    }
    _ = try await whole.run()
    let sums = derived.withLock { $0 }
    let differing = Set(sums.keys).union(booked.keys).filter { sums[$0] ?? 0 != booked[$0] ?? 0 }
    #expect(
      differing.isEmpty,
      "night \(number): \(differing.prefix(3).map { "\($0): \(booked[$0] ?? 0), derived \(sums[$0] ?? 0)" })")
  }

  private func sealedSums(_ closes: [[String: Any]]) throws -> [Place: Int64] {
    var sums: [Place: Int64] = [:]
    for line in closes {
      let name = line["period"] as? String ?? ""
      for file in ["opening", "movements"] {
        for row in try CSVTable("\(folder)/output/closed/\(name)/\(file).csv").rows {
          let currency = try Currency(code: row["currency"] ?? "")
          let place = Place(
            period: name, provider: row["provider"] ?? "", account: row["account"] ?? "",
            connectedAccount: row["connected_account"] ?? "", currency: currency.code,
            figure: file == "opening" ? file : row["figure"] ?? "")
          sums[place, default: 0] += try Money.parse(row["amount"] ?? "", currency).amountMinor
        }
      }
    }
    return sums
  }
}

/// Serves a market and hands over the world.
func withClosingWorld(
  seed: UInt64, nights: Int, accounts: [AccountPlan], orders: Int, faults: Int, periods: [(String, Int)],
  on engine: TestStore, _ body: (inout ClosingWorld) async throws -> Void
) async throws {
  let market = try Market.generate(
    MarketPlan(seed: seed, accounts: accounts, orders: orders, faults: faults, nights: nights))
  let servers = try await MarketServers.start(market)
  defer { Task { await servers.stop() } }
  try await withStoryStore(engine) { folder, url in
    var world = ClosingWorld(servers, folder: folder, storeURL: url, seed: seed, periods: periods)
    try await body(&world)
  }
}
