import Payments
import Storage

/// Keeps what later runs need from this one: which groups are settled and since when, and what they add to cumulative
/// sums.
struct SettledGroups {
  let database: any Database
  let sql: String
  /// The longest deadline that can pass after a group's last fact, seconds.
  let longestDeadline: Int64
  let rangeEnd: Int64
  /// The inputs of the derivation besides the records.
  let signature: String

  /// - Parameter isWhole: everything was derived; otherwise only the groups of `alive_group`.
  /// - Throws: `StorageError`, `SQLStatementError`, `MoneyError.overflow`, `KeptSumError`.
  func keep(isWhole: Bool) throws {
    let isDerived = isWhole ? "1 = 1" : "g.group_no in (select a.group_no from alive_group a)"
    let changes = "(g.is_touched = 1 or g.settled_at is null)"
    if isWhole {
      try forgetAll()
    } else {
      try KeptSums(database: database).subtract(groups: "g.is_touched = 1 and \(isDerived)")
    }
    try keepPayouts()
    try findOpen()
    try database.run(
      SQLStatement(file: "\(sql)/settled/20-facts.sql"), [.integer(rangeEnd), .integer(longestDeadline)])
    for name in ["30-open", "40-unfinished"] { try database.run(SQLStatement(file: "\(sql)/settled/\(name).sql")) }
    try database.run(
      SQLStatement(file: "\(sql)/settled/45-settled.sql"), [.integer(longestDeadline), .integer(rangeEnd)])
    for table in ["group_fact", "open_group", "unfinished_group", "settled_group"] {
      try database.refreshStatistics(of: table)
    }
    try database.execute(
      """
      update record_group set is_touched = 0, settled_at = null, part = '',
        first_at = coalesce((select f.first_at from group_fact f where f.group_no = record_group.group_no), 0)
      where group_no in (select g.group_no from record_group g where \(isDerived) and \(changes))
      """)
    try keepParts()
    try keepTraits()
    try database.empty("derivation")
    try database.execute("insert into derivation (signature) values ($1)", [.text(signature)])
  }

  private func forgetAll() throws {
    for table in ["kept_sum", "kept_payout", "kept_payout_life", "kept_trait"] { try database.empty(table) }
    try database.execute(
      "update record_group set is_touched = 1, settled_at = null, part = '' where is_touched = 0 or settled_at is not "
        + "null"
    )
  }

  private func keepPayouts() throws {
    let notSettled =
      "not exists (select 1 from settled_payout x where x.provider = p.provider and x.payout_id = p.payout_id)"
    for table in ["kept_payout", "kept_payout_life"] {
      try database.execute(
        """
        delete from \(table) where not exists (
          select 1 from settled_payout x where x.provider = \(table).provider and x.payout_id = \(table).payout_id)
        """)
    }
    let columns = StoreTable.statedPayout.columns.joined(separator: ", ")
    try database.execute("insert into kept_payout (\(columns)) select \(columns) from payout p where \(notSettled)")
    let newest = try database.integer("select max(file_id) from landed_file") ?? 0
    try database.run(SQLStatement(file: "\(sql)/settled/10-payouts.sql"), [.integer(newest), .integer(rangeEnd)])
  }

  /// Marks as open what findings and pending states name: its groups, and payouts and batches with everything that they
  /// pay.
  private func findOpen() throws {
    var names: Set<String> = []
    let questions = [
      "select subject, order_id, payment_id, record_id from finding",
      """
      select n.node from group_at g join match_node n on n.group_id = g.group_id
      where g.moment = 1 and (g.match_status = 'pending' or g.finding <> 'none')
      """,
      "select dispute_id, payment_id from dispute_at where moment = 1 and status in ('inquiry', 'open')",
      "select refund_id, payment_id from refund_at where moment = 1 and status = 'pending'",
      "select refund_id, order_id from refund_match_at where moment = 1 and outcome <> 'matched'",
      """
      select c.payment_id from payment_capture c
      where c.is_settled = 0 and (
        exists (select 1 from provider_trait t where t.provider = c.provider and t.trait = 'settled_rows')
        or exists (select 1 from settlement_batch b where b.provider = c.provider))
      """,
      // An item of the closing balance stays open until it is paid; a recent one has its own deadline.
      """
      select record_id, payment_id from closing_item
      where scope = 'platform' and kind <> 'reserved' and age_days >= \(longestDeadline / 86_400 - 1)
      """,
      "select record_id, '' from closing_item where scope = 'platform' and payment_id = '' and kind <> 'reserved'",
    ]
    for question in questions {
      try database.query(question) { row in
        for column in row.names.indices {
          // A subject is `provider:id`, and a node of matching `o:id` or `p:provider:id`.
          names.formUnion(IdentifierList.names(in: row.text(column) ?? "", splitsAtColons: true))
        }
      }
    }
    for group in try RecordGroups.groups(of: Array(names), in: database) {
      try database.execute("insert into open_group (group_no) values ($1)", [.integer(group)])
    }
    for name in names.sorted() {
      try database.execute("update kept_payout_life set settled_at = null where payout_id = $1", [.text(name)])
    }
  }

  private func keepParts() throws {
    var changes: [Int64: PartSums] = [:]
    var settledAt: [Int64: Int64] = [:]
    try database.query("select group_no, settled_at from settled_group") { row in
      settledAt[try row.integer(0) ?? 0] = try row.integer(1)
    }
    let loader = try database.bulkLoader(
      into: "record_group", columns: ["group_no", "first_at", "settled_at", "is_touched", "part"],
      replacing: ["group_no"])
    var (current, parts): (Int64?, [KeptPart]) = (nil, [])
    var first: [Int64: Int64] = [:]
    try database.query("select group_no, first_at from settled_group") { row in
      first[try row.integer(0) ?? 0] = try row.integer(1)
    }
    func end() throws {
      guard let group = current, let settled = settledAt.removeValue(forKey: group) else { return }
      try changes[settled, default: PartSums()].add(parts)
      try write(group, first[group], settled, parts, loader)
    }
    try database.read(SQLStatement(file: "\(sql)/settled/50-parts.sql")) { row in
      let group = try row.integer(0) ?? 0
      if group != current {
        try end()
        (current, parts) = (group, [])
      }
      let key = KeptPart.Key(
        name: row.text(1) ?? "", provider: row.text(2) ?? "", account: row.text(3) ?? "",
        connectedAccount: row.text(4) ?? "",
        currency: row.text(5) ?? "")
      parts.append(KeptPart(key: key, amountMinor: try row.integer(6) ?? 0))
    }
    try end()
    for (group, settled) in settledAt.sorted(by: { $0.key < $1.key }) {
      try write(group, first[group], settled, [], loader)
    }
    _ = try loader.finish()
    try KeptSums(database: database).add(changes)
  }

  private func write(_ group: Int64, _ first: Int64?, _ settled: Int64, _ parts: [KeptPart], _ loader: any BulkLoader)
    throws
  {
    try loader.append(integer: group)
    try loader.append(integer: first)
    try loader.append(integer: settled)
    try loader.append(integer: 0)
    try loader.append(text: KeptPart.text(of: parts))
    try loader.endRow()
  }

  private func keepTraits() throws {
    try database.execute(
      """
      insert into kept_trait (provider, trait, value)
      select p.provider, p.trait, p.value
      from (
        select t.provider, t.trait, t.value from provider_trait t
        union
        select y.provider, 'account', y.account from payment y
        union
        select b.provider, 'balance:' || b.account, case b.holds_late when 1 then 'late' else 'seen' end
        from balance_base b
        join (
          select s.provider, s.account
          from (
            select provider, account from stated_balance
            group by provider, account, landed_file, observed_at having min(is_settled) = 1
          ) s
          group by s.provider, s.account having count(*) > 1
        ) d on d.provider = b.provider and d.account = b.account
      ) p
      where not exists (select 1 from kept_trait k where k.provider = p.provider and k.trait = p.trait
        and k.value = p.value)
      """)
  }
}
