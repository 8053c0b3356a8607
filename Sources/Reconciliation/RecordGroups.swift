import Storage

/// The groups of records that are derived together: those that share an identifier, directly or through other records.
///
/// A union-find over hashes of identifiers. What a landed file adds is stored in the file's own transaction; group
/// numbers that a later record merges are relabelled when all files have been read.
final class RecordGroups {
  private let database: any Database
  /// The group of each identifier found since the cache was last emptied.
  private var cache: [Int64: Int64] = [:]
  /// The group that each merged group went into; the smaller number stays.
  private var parents: [Int64: Int64] = [:]
  /// Identifiers of the file that were not in the cache.
  private var unseen: [(hash: Int64, group: Int64)] = []
  private var merged: [Int64] = []
  /// Groups that records of the file belong to.
  private var touched: Set<Int64> = []
  /// Groups that were created for the file.
  private var begun: Set<Int64> = []
  private var next: Int64
  /// How many identifiers the cache keeps at most: about 100 MB.
  private static let capacity = 1_500_000

  init(_ database: any Database) throws {
    self.database = database
    next =
      try database.integer(
        """
        select max(n) from (
          select max(group_no) as n from record_group union all select max(from_no) from merged_group) g
        """) ?? 0
    try database.script(
      """
      create temp table if not exists new_identifier (hash bigint primary key, group_no bigint not null);
      create temp table if not exists regroup (from_no bigint primary key, to_no bigint not null);
      create temp table if not exists touched_group (group_no bigint primary key);
      """)
  }

  /// The group of a record that mentions these identifiers.
  ///
  /// - Parameter hashes: not empty.
  func group(of hashes: [Int64]) -> Int64 {
    var group: Int64?
    for hash in hashes {
      guard let known = cache[hash] else { continue }
      group = group.map { join($0, root(known)) } ?? root(known)
    }
    let result = group ?? fresh()
    touched.insert(result)
    for hash in hashes where cache.updateValue(result, forKey: hash) == nil { unseen.append((hash, result)) }
    return result
  }

  private func fresh() -> Int64 {
    next += 1
    begun.insert(next)
    return next
  }

  private func root(_ group: Int64) -> Int64 {
    var root = group
    while let parent = parents[root] { root = parent }
    var step = group
    while let parent = parents[step], parent != root {
      parents[step] = root
      step = parent
    }
    return root
  }

  /// Merges two root groups; the smaller number stays.
  private func join(_ one: Int64, _ other: Int64) -> Int64 {
    guard one != other else { return one }
    let (stays, goes) = (min(one, other), max(one, other))
    parents[goes] = stays
    merged.append(goes)
    return stays
  }

  /// Stores the groups of the file's records, in the file's transaction.
  ///
  /// - Parameters:
  ///   - tables: the tables that rows of the file went into.
  ///   - file: the landed file's number.
  func flush(tables: Set<StoreTable>, file: Int64) throws {
    try meetKnown()
    try relabelBegun(tables.map(\.name))
    try keepMerged()
    try keepBegun()
    try keepTouched(tables, file)
    begun.removeAll(keepingCapacity: true)
    if cache.count > Self.capacity { cache.removeAll(keepingCapacity: true) }
  }

  /// Merges groups with those that earlier runs assigned to the same identifiers.
  private func meetKnown() throws {
    guard !unseen.isEmpty else { return }
    try load(into: "new_identifier", ["hash", "group_no"], unseen) { [$0.hash, root($0.group)] }
    var pairs: [(Int64, Int64)] = []
    try database.query(
      """
      select n.group_no, coalesce(m.to_no, i.group_no)
      from new_identifier n
      join identifier i on i.hash = n.hash
      left join merged_group m on m.from_no = i.group_no
      order by n.group_no, i.group_no
      """
    ) { row in pairs.append((try row.integer(0) ?? 0, try row.integer(1) ?? 0)) }
    for (new, old) in pairs { _ = join(root(new), root(old)) }
    let known = Set(try hashes("select n.hash from new_identifier n join identifier i on i.hash = n.hash"))
    try load(into: "identifier", ["hash", "group_no"], unseen.filter { !known.contains($0.hash) }) {
      [$0.hash, root($0.group)]
    }
    try database.empty("new_identifier")
    unseen.removeAll(keepingCapacity: true)
  }

  private func hashes(_ sql: String) throws -> [Int64] {
    var found: [Int64] = []
    try database.query(sql) { found.append(try $0.integer(0) ?? 0) }
    return found
  }

  /// A group that was created for this file has records nowhere else, so they are relabelled at once.
  private func relabelBegun(_ tables: [String]) throws {
    let gone = merged.filter(begun.contains)
    guard !gone.isEmpty else { return }
    merged.removeAll(where: begun.contains)
    try load(into: "regroup", ["from_no", "to_no"], gone) { [$0, root($0)] }
    for table in tables {
      try database.execute(
        """
        update \(table) set group_no = (select r.to_no from regroup r where r.from_no = \(table).group_no)
        where group_no in (select r.from_no from regroup r)
        """)
    }
    try database.empty("regroup")
  }

  private func keepMerged() throws {
    guard !merged.isEmpty else { return }
    // A store that is built from scratch has no index yet, and each update would scan the whole table.
    try database.execute("create index if not exists merged_group_to on merged_group (to_no)")
    for group in merged {
      try database.execute(
        "update merged_group set to_no = $2 where to_no = $1", [.integer(group), .integer(root(group))])
    }
    let columns = ["from_no", "to_no", "is_relabelled"]
    let loader = try database.bulkLoader(into: "merged_group", columns: columns, replacing: ["from_no"])
    for group in merged {
      try loader.append(integer: group)
      try loader.append(integer: root(group))
      try loader.append(integer: 0)
      try loader.endRow()
    }
    _ = try loader.finish()
    merged.removeAll(keepingCapacity: true)
  }

  private func keepBegun() throws {
    let groups = begun.filter { root($0) == $0 }.sorted()
    guard !groups.isEmpty else { return }
    try load(into: "record_group", ["group_no"], groups) { [$0] }
  }

  /// Marks the groups about which the file has new information: they are derived again.
  private func keepTouched(_ tables: Set<StoreTable>, _ file: Int64) throws {
    let groups = Set(touched.map(root)).subtracting(begun).sorted()
    touched.removeAll(keepingCapacity: true)
    guard !groups.isEmpty else { return }
    try load(into: "touched_group", ["group_no"], groups) { [$0] }
    // Looked up one by one: a list of all touched groups would be built from every group of the store for each file.
    try database.execute(
      """
      delete from touched_group where exists (
        select 1 from record_group g where g.group_no = touched_group.group_no and g.is_touched = 1)
      """)
    if try database.integer("select 1 from touched_group limit 1") != nil {
      for news in tables.sorted(by: { $0.name < $1.name }).flatMap(Self.news) {
        try database.execute(
          """
          update record_group set is_touched = 1
          where group_no in (select t.group_no from touched_group t where exists (\(news)))
          """, [.integer(file)])
      }
    }
    try database.empty("touched_group")
  }

  /// Conditions under which a file changes a group `t`: it has a new row in the table, another value, or one reference
  /// fewer.
  ///
  /// Asked group by group: for a join, SQLite would build a filter over all records.
  private static func news(in table: StoreTable) -> [String] {
    let changed = "select 1 from \(table.name) x where x.group_no = t.group_no and x.changed_in = $1"
    return switch table {
    case .customerOrder:
      [
        changed,
        """
        select 1 from order_payment_reference r
        where r.group_no = t.group_no and r.landed_file < $1
          and exists (select 1 from customer_order o where o.order_id = r.order_id and o.landed_file = $1)
        """,
      ]
    case .statedPayment: [changed, void("stated_payment", "payment_id")]
    case .intent: [changed, void("intent", "intent_id")]
    case .transfer: [changed, void("transfer", "transfer_id")]
    default: [changed]
    }
  }

  /// References of a version older than the file's.
  private static func void(_ owner: String, _ id: String) -> String {
    """
    select 1 from reference r
    where r.group_no = t.group_no and r.landed_file < $1
      and exists (
        select 1 from \(owner) o where o.provider = r.provider and o.\(id) = r.owner_id and o.landed_file = $1)
    """
  }

  private func load<Row>(into table: String, _ columns: [String], _ rows: [Row], _ values: (Row) -> [Int64]) throws {
    let loader = try database.bulkLoader(into: table, columns: columns)
    for row in rows {
      for value in values(row) { try loader.append(integer: value) }
      try loader.endRow()
    }
    _ = try loader.finish()
  }

  /// Updates every record to the number of the group that its own was merged into.
  func relabel() throws {
    guard try database.integer("select 1 from merged_group where is_relabelled = 0 limit 1") != nil else { return }
    try database.transaction {
      for table in StoreTable.allCases.filter(\.isGrouped).map(\.name) {
        try database.execute(
          """
          update \(table) set group_no = (select m.to_no from merged_group m where m.from_no = \(table).group_no)
          where group_no in (select m.from_no from merged_group m where m.is_relabelled = 0)
          """)
      }
      try KeptSums(database: database).subtract(
        groups: "g.group_no in (select m.from_no from merged_group m where m.is_relabelled = 0)")
      try database.execute(
        """
        update record_group set is_touched = 1
        where group_no in (select m.to_no from merged_group m where m.is_relabelled = 0)
        """)
      try database.execute(
        "delete from record_group where group_no in (select m.from_no from merged_group m where m.is_relabelled = 0)")
      try database.execute("update merged_group set is_relabelled = 1 where is_relabelled = 0")
    }
  }
}

/// FNV-1a of texts in lower case: stable across versions, but no protection against manipulation.
struct TextHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

  mutating func add(_ utf8: UnsafeRawBufferPointer) { for byte in utf8 { add(byte: byte) } }

  /// FNV's high bits change little in short texts, so a final mix spreads them.
  var value: Int64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return Int64(bitPattern: mixed ^ (mixed >> 33))
  }

  /// The hash of an identifier in lower case.
  static func identifier(_ utf8: UnsafeRawBufferPointer) -> Int64 {
    var hash = TextHash()
    for byte in utf8 { hash.add(byte: byte >= 65 && byte <= 90 ? byte + 32 : byte) }
    return hash.value
  }

  static func identifier(_ text: String) -> Int64 {
    var text = text
    return text.withUTF8 { identifier(UnsafeRawBufferPointer($0)) }
  }
}
