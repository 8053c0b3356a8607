import Storage

extension RecordGroups {
  /// The groups of the records that bear any of these names.
  static func groups(of names: [String], in database: any Database) throws -> [Int64] {
    guard !names.isEmpty else { return [] }
    try database.script("create temp table if not exists asked_identifier (hash bigint primary key)")
    try database.empty("asked_identifier")
    let loader = try database.bulkLoader(into: "asked_identifier", columns: ["hash"])
    for hash in Set(names.map { TextHash.identifier($0) }).sorted() {
      try loader.append(integer: hash)
      try loader.endRow()
    }
    _ = try loader.finish()
    var groups: [Int64] = []
    try database.query(
      """
      select distinct coalesce(m.to_no, i.group_no)
      from asked_identifier a
      join identifier i on i.hash = a.hash
      left join merged_group m on m.from_no = i.group_no
      """
    ) { groups.append(try $0.integer(0) ?? 0) }
    return groups.sorted()
  }
}
