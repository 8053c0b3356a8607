import Foundation
import Payments
import TestSupport

/// The roll-forward of a publication, examined: every row adds up, its movements are those of entries.csv, its items
/// make its closing, and it goes on from the one before.
struct RollForward {
  static let movements = [
    "captured", "refunded", "disputed", "provider_fees", "transferred", "transfer_reversed", "application_fees",
    "exchange", "reserves", "adjustments", "paid_out", "other",
  ]

  private let rows: [[String]: [String: String]]
  private let items: [[String]: Int64]
  private let entries: [[String]: Int64]

  init(_ files: [String: Data]) throws {
    func table(_ name: String) -> [[String: String]] {
      CSVTable(text: String(decoding: files[name] ?? Data(), as: UTF8.self)).rows
    }
    rows = Dictionary(uniqueKeysWithValues: table("roll_forward.csv").map { (Self.key($0), $0) })
    items = try table("closing_items.csv").reduce(into: [:]) {
      $0[Self.key($1), default: 0] += try Self.minor($1, "amount")
    }
    entries = try table("entries.csv").reduce(into: [:]) { sums, row in
      let amount = try Self.minor(row, "amount")
      for (party, sign) in [(row["from_party"] ?? "", Int64(-1)), (row["to_party"] ?? "", 1)] {
        let (provider, currency) = (row["provider"] ?? "", row["currency"] ?? "")
        if party == "platform" {
          sums[["platform", provider, row["account"] ?? "", "", currency], default: 0] += sign * amount
        } else if party.hasPrefix("connected:") {
          let account = String(party.dropFirst("connected:".count))
          sums[["connected", provider, "", account, currency], default: 0] += sign * amount
        }
      }
    }
  }

  /// What does not hold, a sentence each.
  ///
  /// - Parameter isStated: whether what providers state has to agree: not where a world plants balances that are off.
  func problems(after before: RollForward?, isStated: Bool = true) throws -> [String] {
    var problems: [String] = []
    for (key, row) in rows {
      let moved = try Self.movements.reduce(Int64(0)) { $0 + (try Self.minor(row, $1)) }
      let (opening, closing) = (try Self.minor(row, "opening"), try Self.minor(row, "closing"))
      if opening + moved != closing { problems.append("\(key): \(opening) and \(moved) are not \(closing)") }
      if moved != entries[key, default: 0] { problems.append("\(key): \(moved) moved, entries \(entries[key] ?? 0)") }
      if closing != items[key, default: 0] { problems.append("\(key): closing \(closing), items \(items[key] ?? 0)") }
      if isStated && row["stated_closing"] != "" {
        let difference = try Self.minor(row, "stated_closing") - closing
        if try difference != Self.minor(row, "difference") || difference != 0 {
          problems.append("\(key): stated \(row["stated_closing"] ?? ""), closing \(closing)")
        }
      }
    }
    for key in Set(items.keys).union(entries.keys)
    where rows[key] == nil && (items[key] ?? 0, entries[key] ?? 0) != (0, 0) {
      problems.append("\(key): no row")
    }
    for (key, row) in before?.rows ?? [:] {
      let closing = try Self.minor(row, "closing")
      let opening = try rows[key].map { try Self.minor($0, "opening") } ?? 0
      if opening != closing { problems.append("\(key): opens with \(opening) after a closing of \(closing)") }
    }
    return problems.sorted()
  }

  private static func key(_ row: [String: String]) -> [String] {
    ["scope", "provider", "account", "connected_account", "currency"].map { row[$0] ?? "" }
  }

  private static func minor(_ row: [String: String], _ column: String) throws -> Int64 {
    try Money.parse(row[column] ?? "", Currency(code: row["currency"] ?? "")).amountMinor
  }
}
