import Storage

/// The stage that proves the night before it is published: sql/proofs, each line with its amounts and whether it holds.
struct Prove {
  let database: any Database
  let sql: String

  func run() throws {
    for statement in try SQLStatement.folder("\(sql)/proofs") { try database.run(statement) }
  }
}
