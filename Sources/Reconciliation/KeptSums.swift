import Payments
import Storage

/// The amount that a settled group adds to one cumulative sum.
struct KeptPart: Hashable {
  /// Identifies the sum: its name, its owner and its currency.
  struct Key: Hashable {
    var name: String
    var provider: String
    var account: String
    var connectedAccount: String
    var currency: String
  }

  var key: Key
  /// Minor units.
  var amountMinor: Int64

  /// The parts of a group as the store keeps them: a line for each owner and currency, with tabs between its cells:
  /// provider, account, connected account, currency, and `name=amount` for each part. No provider's id contains a tab.
  static func text(of parts: [KeptPart]) -> String {
    var lines: [(owner: [String], amounts: [String])] = []
    for part in parts {
      let owner = [part.key.provider, part.key.account, part.key.connectedAccount, part.key.currency]
      let amount = "\(part.key.name)=\(part.amountMinor)"
      if let place = lines.firstIndex(where: { $0.owner == owner }) {
        lines[place].amounts.append(amount)
      } else {
        lines.append((owner, [amount]))
      }
    }
    return lines.map { ($0.owner + $0.amounts).joined(separator: "\t") }.joined(separator: "\n")
  }

  /// The parts of a group as the store keeps them.
  ///
  /// - Throws: `KeptSumError.unreadable` where the text was not written by `text(of:)`.
  static func read(_ text: String) throws -> [KeptPart] {
    try text.split(separator: "\n").flatMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count > 4 else { throw KeptSumError.unreadable(String(line)) }
      let owner = cells[..<4].map(String.init)
      return try cells[4...].map { cell in
        guard let end = cell.firstIndex(of: "="), let amount = Int64(cell[cell.index(after: end)...]) else {
          throw KeptSumError.unreadable(String(line))
        }
        let key = Key(
          name: String(cell[..<end]), provider: owner[0], account: owner[1], connectedAccount: owner[2],
          currency: owner[3])
        return KeptPart(key: key, amountMinor: amount)
      }
    }
  }
}

/// The kept sums in the store cannot be read: a defect, or somebody changed them.
enum KeptSumError: Error, CustomStringConvertible {
  case unreadable(String)

  var description: String {
    switch self {
    case .unreadable(let line): "record_group.part: \"\(line)\" is no part of a sum; run `crossfoot rebuild`"
    }
  }
}

/// Sums over parts, each with the number of groups that have a part in it.
struct PartSums {
  private(set) var sums: [KeptPart.Key: (minor: Int64, members: Int64)] = [:]

  /// - Throws: `MoneyError.overflow`.
  mutating func add(_ parts: [KeptPart], sign: Int64 = 1) throws {
    for part in parts {
      var sum = sums[part.key] ?? (0, 0)
      let (minor, isOver) =
        sign > 0
        ? sum.minor.addingReportingOverflow(part.amountMinor) : sum.minor.subtractingReportingOverflow(part.amountMinor)
      guard !isOver else { throw MoneyError.overflow("the kept sum of \(part.key.name)") }
      sum.minor = minor
      sum.members += sign
      sums[part.key] = sum
    }
  }
}

/// The cumulative sums of the settled groups (`kept_sum`), by the time at which the groups settled.
struct KeptSums {
  let database: any Database

  /// Loads into `kept_sum_at` the parts of groups that settled by an instant and are not derived.
  ///
  /// - Throws: `StorageError`, `MoneyError.overflow`, `KeptSumError`.
  func load(settledUntil start: Int64) throws {
    var sums: [KeptPart.Key: (minor: Int64, members: Int64)] = [:]
    try database.query(
      """
      select name, provider, account, connected_account, currency, cast(sum(amount_minor) as bigint),
        cast(sum(members) as bigint)
      from kept_sum where settled_at <= $1 group by name, provider, account, connected_account, currency
      """, [.integer(start)]
    ) { row in
      let key = KeptPart.Key(
        name: row.text(0) ?? "", provider: row.text(1) ?? "", account: row.text(2) ?? "",
        connectedAccount: row.text(3) ?? "",
        currency: row.text(4) ?? "")
      sums[key] = (try row.integer(5) ?? 0, try row.integer(6) ?? 0)
    }
    var derived = PartSums()
    try database.query(
      """
      select g.part from record_group g join alive_group a on a.group_no = g.group_no where g.settled_at <= $1
      """, [.integer(start)]
    ) { row in try derived.add(KeptPart.read(row.text(0) ?? "")) }
    let loader = try database.bulkLoader(
      into: "kept_sum_at", columns: ["name", "provider", "account", "connected_account", "currency", "amount_minor"])
    for (key, sum) in sums {
      let own = derived.sums[key] ?? (0, 0)
      guard sum.members > own.members else { continue }
      let (minor, isOver) = sum.minor.subtractingReportingOverflow(own.minor)
      guard !isOver else { throw MoneyError.overflow("the kept sum of \(key.name)") }
      for text in [key.name, key.provider, key.account, key.connectedAccount, key.currency] {
        try loader.append(text: text)
      }
      try loader.append(integer: minor)
      try loader.endRow()
    }
    _ = try loader.finish()
  }

  /// Removes the parts of groups from the sums because the groups are derived again or were merged into others.
  ///
  /// - Parameter groups: a condition on `record_group g`.
  func subtract(groups condition: String) throws {
    var changes: [Int64: PartSums] = [:]
    try database.query(
      "select g.settled_at, g.part from record_group g where g.settled_at is not null and \(condition)"
    ) { row in
      try changes[row.integer(0) ?? 0, default: PartSums()].add(KeptPart.read(row.text(1) ?? ""), sign: -1)
    }
    try add(changes)
  }

  /// Adds to the sums, by the time at which the groups settled.
  func add(_ changes: [Int64: PartSums]) throws {
    for (settledAt, sums) in changes.sorted(by: { $0.key < $1.key }) {
      for (key, sum) in sums.sums {
        let place: [SQLValue] = [
          .integer(settledAt), .text(key.name), .text(key.provider), .text(key.account), .text(key.connectedAccount),
          .text(key.currency),
        ]
        try database.execute(
          """
          insert into kept_sum (settled_at, name, provider, account, connected_account, currency, amount_minor, members)
          values ($1, $2, $3, $4, $5, $6, $7, $8)
          on conflict (settled_at, name, provider, account, connected_account, currency) do update set
            amount_minor = kept_sum.amount_minor + excluded.amount_minor, members = kept_sum.members + excluded.members
          """, place + [.integer(sum.minor), .integer(sum.members)])
      }
    }
    try database.execute("delete from kept_sum where members = 0")
  }
}
