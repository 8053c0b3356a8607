import Foundation
import Marketplace
import TestSupport
import Testing

/// A night on which one list cannot be read, and the night after, on which it can.
@Suite("A dead stream", .onItsOwnThread, .serialized)
struct DeadStreamTests {
  /// Enough orders for a fault of every type.
  static let (seed, orders, faults): (UInt64, Int, Int) = (3, 240, 90)

  /// What an undisturbed pair of nights publishes, of each night the files by name.
  static func calmNights(_ types: [FaultType]) async throws -> [[String: Data]] {
    var nights: [[String: Data]] = []
    try await NightSite.serve(seed: seed, orders: orders, faults: faults, types: types, nights: 2) { site in
      for night in 1...2 {
        try site.configure(night: night)
        let ended = try await site.run(night: night)
        #expect(ended.status == 1, "seed \(seed): \(ended.output)\(ended.errors)")
        nights.append(try site.published(night))
      }
    }
    return nights
  }

  @Test(
    "Nothing is claimed that rests on it, the rest is found, and the night after nobody can tell",
    arguments: StripeList.allCases)
  func deadList(list: StripeList) async throws {
    // What only the ledger's earlier reading can show is lost with that reading.
    let types = FaultType.stripe.filter { list != .balanceTransactions || !$0.needsSecondNight }
    let calm = try await Self.calmNights(types)
    try await NightSite.serve(seed: Self.seed, orders: Self.orders, faults: Self.faults, types: types, nights: 2) {
      site in
      site.endpoint.faults = .dead(list)
      let dead = try await site.run()
      #expect(dead.status == 2, "\(dead.output)\(dead.errors)")
      #expect(
        dead.output.contains("INCOMPLETE\n") && dead.output.contains("  stripe/\(list.rawValue): "), "\(dead.output)")
      try Self.compare(try site.published(), with: calm[0], without: list)
      site.endpoint.faults = FaultPlan()
      try site.configure(night: 2)
      let back = try await site.run(night: 2)
      #expect(back.status == 1, "\(back.output)\(back.errors)")
      // Its readers read less the night before, so its states are its own.
      Self.expectSame(
        Self.withoutStates(try site.published(2)), Self.withoutStates(calm[1]), "\(list), the night after")
      let again = try await site.run("run", ["--no-pull"])
      #expect(again.status == 1, "\(again.output)\(again.errors)")
    }
  }

  /// Every row of the dead night is in the calm one, and what is missing rests on the dead list.
  private static func compare(_ dead: [String: Data], with calm: [String: Data], without list: StripeList) throws {
    let (found, all) = (findings(dead), findings(calm))
    for (id, row) in found.sorted(by: { $0.key < $1.key }) where all[id] == nil && !isPlainer(row, all.values) {
      Issue.record("\(list) was dead, and this was claimed: \(row)")
    }
    for (id, row) in all.sorted(by: { $0.key < $1.key }) where found[id] == nil {
      #expect(try rests(row[1], on: list), "\(list) was dead, and this was not found: \(row)")
    }
  }

  /// Whether a row says less of what a check would have said that had to be silent: both are true, and one of them is
  /// listed.
  private static func isPlainer(_ row: [String], _ all: some Sequence<[String]>) -> Bool {
    row[1] == "refund_failed" && all.contains { $0[1] == "failed_refund_still_reversed" && $0[7] == row[7] }
  }

  /// The rows of `discrepancies.csv` by their ids: a dead list may leave cells blank, but it never changes what a row
  /// is about.
  private static func findings(_ files: [String: Data]) -> [String: [String]] {
    let lines = String(decoding: files["discrepancies.csv"] ?? Data(), as: UTF8.self).split(separator: "\n").dropFirst()
    let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(rows.map { ($0[0], $0) }) { one, _ in one }
  }

  /// Whether a check rests on a list, or lacks rows without it: by its head comment, or because what it says is about
  /// payments or their matches.
  private static func rests(_ type: String, on list: StripeList) throws -> Bool {
    let text = try String(contentsOfFile: "\(NightSite.checkout)/sql/checks/\(type).sql", encoding: .utf8)
    let heads = ["-- Rests on:", "-- Also reads:"]
    let words = text.split(separator: "\n").filter { line in heads.contains { line.hasPrefix($0) } }.flatMap {
      $0.split(separator: " ")
    }
    let subjects = subjects(of: list)
    let isAboutPayments = ["payment_at", "group_at", "refund_match_at"].contains { text.contains($0) }
    return !subjects.isDisjoint(with: words.map(String.init)) || (subjects.contains("payments") && isAboutPayments)
  }

  /// The words of `Rests on` that a list carries.
  private static func subjects(of list: StripeList) -> Set<String> {
    switch list {
    case .balanceTransactions:
      ["ledger", "payments", "refunds", "transfers", "fees", "disputes", "payouts", "balances"]
    case .charges, .paymentIntents: ["payments"]
    case .refunds: ["refunds"]
    case .applicationFees: ["fees"]
    case .transfers: ["transfers"]
    case .disputes: ["disputes"]
    case .payouts: ["payouts"]
    }
  }

  /// The rows of the roll-forward without what was stated for their opening.
  private static func withoutOpening(_ rows: Set<String>) -> Set<String> {
    Set(
      rows.map { row in
        var cells = row.split(separator: ",", omittingEmptySubsequences: false)
        cells.remove(at: cells.count - 3)
        return cells.joined(separator: ",")
      })
  }

  static func expectSame(_ files: [String: Data], _ calm: [String: Data], _ what: String) {
    #expect(Set(files.keys) == Set(calm.keys), "\(what)")
    for (name, content) in calm.sorted(by: { $0.key < $1.key })
    where name != "reconciliation.xlsx" && files[name] != content {
      var (found, expected) = (lines(files[name]), lines(content))
      // A pull that was cut short states no balance, so the next range has no stated opening.
      if name == "roll_forward.csv" { (found, expected) = (withoutOpening(found), withoutOpening(expected)) }
      guard name != "roll_forward.csv" || found != expected else { continue }
      let difference =
        "- \(expected.subtracting(found).sorted().prefix(5))\n+ \(found.subtracting(expected).sorted().prefix(5))"
      Issue.record("\(what): \(name) is not the same\n\(name.hasSuffix(".csv") ? difference : "")")
    }
  }

  /// The files with discrepancies.csv as far as it follows from records alone: what is open, without its state.
  private static func withoutStates(_ files: [String: Data]) -> [String: Data] {
    let rows = findings(files).values.filter { $0[3] != "resolved" }
    let open = rows.map { ($0[..<3] + $0[4...]).joined(separator: ",") }.sorted().joined(separator: "\n")
    return files.merging(["discrepancies.csv": Data(open.utf8)]) { $1 }
  }

  private static func lines(_ content: Data?) -> Set<String> {
    Set(String(decoding: content ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init))
  }
}
