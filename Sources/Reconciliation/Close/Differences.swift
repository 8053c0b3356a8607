import Journal
import Landing
import Payments
import Storage

/// What closed periods hold beside what is derived now, and why it differs.
extension ReconciliationRun {
  /// Every movement of the derived groups that differs from what is sealed and noted.
  func adjustments(_ database: any Database, _ derivation: Derivation, _ state: ClosedState) throws
    -> [Adjustment]
  {
    let seals = Dictionary(uniqueKeysWithValues: state.periods.effective.map { ($0.seal.sha256, $0) })
    let (rules, statements) = try (rulesHash, statementsHash())
    let letGo = try letGoUntil()
    var found: [Difference] = []
    let text = try SQLStatement(file: "\(resources.sql)/sealed/differences.sql").text
    try database.query(text, [.integer(derivation.isWhole ? 1 : 0)]) { row in
      if let line = seals[row.text(0) ?? ""] { found.append(try difference(row, line)) }
    }
    guard !found.isEmpty else { return [] }
    let orders = try orderIDs(of: Set(found.map(\.flowKey)), database)
    let changes = try newestChanges(of: Set(found.map(\.group)), database)
    return try found.compactMap { difference in
      var line = difference.line
      guard let seal = seals[line.seal]?.seal else { return nil }
      var cause = difference.cause
      cause.newestChange = max(cause.newestChange, changes[difference.group] ?? 0)
      if difference.firstFile > 0 {
        let first = "select sequence from landed_file where file_id = $1"
        cause.firstLanded = try database.integer(first, [.integer(difference.firstFile)]) ?? 0
      }
      line.reason = cause.reason(
        sealedAt: seal.sequence, isOtherConfiguration: seal.rules != rules,
        isOtherVersion: seal.statements != statements)
      // Figures that may rest on removed records can no longer be compared; later ones can.
      guard line.reason == .lateRecord || seal.isComparable(line.figure, since: letGo) else { return nil }
      if let ids = orders[difference.flowKey] { line.orderID = ids }
      return line
    }
  }

  /// A movement that is not what is sealed and noted, with what its reason is read from.
  private struct Difference {
    var line: Adjustment
    let flowKey: String
    /// 0 where the row is gone or belongs to no group.
    let group: Int64
    /// The landed file that first had the row; 0 for one that is made from others.
    let firstFile: Int64
    let cause: AdjustmentCause
  }

  private func difference(_ row: any Row, _ line: PeriodLine) throws -> Difference {
    let (before, after) = (try row.integer(11) ?? 0, try row.integer(12) ?? 0)
    let change = after.subtractingReportingOverflow(before)
    guard !change.overflow else { throw MoneyError.overflow("an adjustment of \(line.period)") }
    let changed = try row.integer(15) ?? 0
    return Difference(
      line: Adjustment(
        period: line.period, seal: line.seal.sha256, learnedAt: Instant.text(now), reason: .changedRecord,
        provider: row.text(1) ?? "", account: row.text(3) ?? "", connectedAccount: row.text(4) ?? "",
        currency: row.text(5) ?? "", paymentID: row.text(8) ?? "", orderID: row.text(9) ?? "",
        recordID: row.text(7) ?? "", rowID: row.text(2) ?? "", figure: row.text(6) ?? "", before: before,
        after: after, change: change.partialValue),
      flowKey: row.text(10) ?? "", group: try row.integer(17) ?? 0, firstFile: (try row.integer(14) ?? 0) >> 32,
      cause: AdjustmentCause(
        wasSealed: before != 0, isThere: try row.integer(13) == 1, counts: try row.integer(16) == 1,
        firstLanded: changed, newestChange: changed))
  }

  /// The sequence of the newest landed file that said something new of a record of each group.
  private func newestChanges(of groups: Set<Int64>, _ database: any Database) throws -> [Int64: Int64] {
    try database.script("create temp table if not exists adjusted_group (group_no bigint primary key)")
    try database.transaction {
      try database.empty("adjusted_group")
      let loader = try database.bulkLoader(into: "adjusted_group", columns: ["group_no"])
      for group in groups.sorted() where group > 0 {
        try loader.append(integer: group)
        try loader.endRow()
      }
      _ = try loader.finish()
    }
    var newest: [Int64: Int64] = [:]
    for table in StoreTable.allCases.filter(\.isGrouped).map(\.name) {
      try database.query(
        """
        select a.group_no, max(f.sequence)
        from adjusted_group a
        join \(table) t on t.group_no = a.group_no
        join landed_file f on f.file_id = t.changed_in
        group by a.group_no
        """
      ) { row in
        let group = try row.integer(0) ?? 0
        newest[group] = max(newest[group] ?? 0, try row.integer(1) ?? 0)
      }
    }
    return newest
  }

  private func orderIDs(of flowKeys: Set<String>, _ database: any Database) throws -> [String: String] {
    var orders: [String: String] = [:]
    try database.query("select flow_key, order_ids from payment_orders") { row in
      let key = row.text(0) ?? ""
      if flowKeys.contains(key) { orders[key] = row.text(1) }
    }
    return orders
  }
}
