import Storage
import TestSupport
import Testing

@testable import Reconciliation

/// Records that share an identifier have one group, whatever the order in which they land and however often the run is
/// interrupted between files.
@Suite struct RecordGroupsTests {
  @Test(arguments: TestStore.all, [1, 2, 3, 4] as [UInt64])
  func `the groups are the connected components of shared identifiers`(engine: TestStore, seed: UInt64) throws {
    try withStore(engine) { database in
      var random = SeededGenerator(seed: seed)
      let records = (0..<400).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).map { _ in "id\(Int.random(in: 0..<500, using: &random))" }
      }
      var groups = try RecordGroups(database)
      for (place, record) in records.enumerated() {
        _ = groups.group(of: record.map(TextHash.identifier))
        guard place % 40 == 39 else { continue }
        try database.transaction { try groups.flush(tables: [], file: 1) }
        // A new process knows only what was kept.
        if place % 80 == 79 { groups = try RecordGroups(database) }
      }
      try groups.relabel()
      let found = try Self.groups(database)
      var naive = Naive()
      for record in records { for id in record { naive.join(record[0], id) } }
      for one in Set(records.joined()).sorted() {
        for other in records[0] + records[7] + records[399] {
          #expect(
            (found[TextHash.identifier(one)] == found[TextHash.identifier(other)])
              == (naive.root(one) == naive.root(other)), "\(one) \(other)")
        }
      }
    }
  }

  /// The group of each identifier, as a later run finds it.
  private static func groups(_ database: any Database) throws -> [Int64: Int64] {
    var found: [Int64: Int64] = [:]
    try database.query(
      "select i.hash, coalesce(m.to_no, i.group_no) from identifier i left join merged_group m on m.from_no = "
        + "i.group_no"
    ) { found[try $0.integer(0) ?? 0] = try $0.integer(1) }
    return found
  }

  private struct Naive {
    var parents: [String: String] = [:]
    func root(_ id: String) -> String { parents[id].map(root) ?? id }
    mutating func join(_ one: String, _ other: String) {
      let (a, b) = (root(one), root(other))
      if a != b { parents[a] = b }
    }
  }
}
