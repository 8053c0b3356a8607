import Storage

/// The stage from fund flows to matches: sql/matching, surest rule first; what references connect becomes one group.
struct Match {
  let database: any Database
  let sql: String

  func run() throws {
    for statement in try Statement.folder("\(sql)/matching") where !statement.name.hasPrefix("spread-") {
      if statement.name == "groups" { try spread() }
      try database.derive(statement)
    }
  }

  /// Lets the smallest node of each group reach all its members: repeats until nothing changes.
  private func spread() throws {
    let steps = try Statement.folder("\(sql)/matching").filter { $0.name.hasPrefix("spread-") }
    var changed = 1
    while changed > 0 {
      changed = 0
      for step in steps { changed += try database.run(step) }
    }
  }
}
