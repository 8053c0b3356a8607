import Payments
import Storage

/// The whole story of one id, in time order: records with their landed file and line, entries, flow, match, checks.
///
/// It speaks of the range that the store was last reconciled for.
package struct Explain {
  let database: any Database
  let sql: String

  package init(database: any Database, resources: ResourceFolders) {
    self.database = database
    sql = resources.sql + "/explain"
  }

  /// The story as lines for people; empty when nothing of that id is known.
  package func story(of id: String) throws -> [String] {
    let subjects = try find(id)
    var lines: [String] = []
    for order in subjects.orders { lines += try section("Order \(order)", "orders", [.text(order)]) }
    for flow in subjects.flows { lines += try payment(flow) }
    for payout in subjects.payouts {
      lines += try section("Payout \(payout)", "payouts", [.text(payout)])
      lines += try section("  Entries", "entries", ["", .text(payout)])
    }
    guard !lines.isEmpty else { return [] }
    return lines + (try matches(subjects)) + (try discrepancies(subjects))
  }

  private struct Subjects {
    var flows: [String] = []
    var orders: [String] = []
    var payouts: [String] = []

    mutating func add(_ flow: String?, _ order: String?, _ payout: String? = nil) {
      if let flow, !flows.contains(flow) { flows.append(flow) }
      if let order, !orders.contains(order) { orders.append(order) }
      if let payout, !payouts.contains(payout) { payouts.append(payout) }
    }
  }

  private func find(_ id: String) throws -> Subjects {
    var found = Subjects()
    try database.read(try statement("find"), [.text(id)]) { found.add($0.text(0), $0.text(1), $0.text(2)) }
    for (flow, order) in found.flows.map({ ($0, "") }) + found.orders.map({ ("", $0) }) {
      try database.read(try statement("beside"), [.text(flow), .text(order)]) { found.add($0.text(0), $0.text(1)) }
    }
    return found
  }

  private func payment(_ flow: String) throws -> [String] {
    var lines = try section("Payment \(flow)", "records", [.text(flow)])
    lines += try section("  Entries", "entries", [.text(flow), ""])
    try database.read(try statement("flows"), [.text(flow)]) { row in
      let currency = row.text(0) ?? ""
      let names = ["captured", "platform", "connected", "customer", "provider", "other"]
      let parts = try names.enumerated().map { "\($1) \(try Explain.amount(try row.integer($0 + 1), currency))" }
      lines.append("  Fund flow: " + parts.joined(separator: ", "))
    }
    return lines
  }

  /// A title and one line for each dated row: moment, kind, id, amount, words, place in the landing zone.
  private func section(_ title: String, _ name: String, _ parameters: [SQLValue]) throws -> [String] {
    var lines: [String] = []
    try database.read(try statement(name), parameters) { row in
      let amount = try Explain.amount(try row.integer(4), row.text(3) ?? "")
      let place = row.text(6).map { " [\($0):\((try? row.integer(7)).flatMap { $0 } ?? 0)]" } ?? ""
      let moment = try row.integer(0).map(Instant.text) ?? ""
      lines.append("    \(moment)  \(row.text(1) ?? "")  \(row.text(2) ?? "")  \(amount)  \(row.text(5) ?? "")\(place)")
    }
    return lines.isEmpty ? [] : [title] + lines
  }

  private func matches(_ subjects: Subjects) throws -> [String] {
    var lines: [String] = []
    for (flow, order) in subjects.flows.map({ ($0, "") }) + subjects.orders.map({ ("", $0) }) {
      try database.read(try statement("matches"), [.text(flow), .text(order)]) { row in
        let sides = [row.text(0) ?? "", row.text(1) ?? ""].map { $0.isEmpty ? "nothing" : $0 }
        let rule = (row.text(3) ?? "").isEmpty ? "" : ", by rule \(row.text(3) ?? "")"
        let line = "  \(sides[0]) and \(sides[1]): \(row.text(2) ?? "")\(rule)"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    return lines.isEmpty ? [] : ["Match"] + lines
  }

  private func discrepancies(_ subjects: Subjects) throws -> [String] {
    var lines: [String] = []
    let payments = subjects.flows.map { String($0.drop { $0 != ":" }.dropFirst()) }
    let asked = payments.map { ($0, "-", "-") } + subjects.orders.map { ("-", $0, "-") } + subjects.payouts.map { ("-", "-", $0) }
    for (payment, order, payout) in asked {
      try database.read(try statement("discrepancies"), [.text(payment), .text(order), .text(payout)]) { row in
        let words = (0...6).map { row.text($0) ?? "" }
        let line = "  \(words[0])  \(words[2]) \(words[1]), \(words[3]) since \(words[4]): \(words[5]) \(words[6])"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    return lines.isEmpty ? ["Checks", "  nothing to say"] : ["Checks"] + lines
  }

  private func statement(_ name: String) throws -> Statement { try Statement(file: "\(sql)/\(name).sql") }

  private static func amount(_ minor: Int64?, _ currency: String) throws -> String {
    guard let minor else { return "" }
    return Money(amountMinor: minor, currency: try Currency(code: currency)).description
  }
}
