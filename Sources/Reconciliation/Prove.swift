import Storage

/// The stage that runs the proofs before publication: sql/proofs, each line with its amounts and whether it holds.
struct Prove {
  let database: any Database
  let sql: String

  func run() throws {
    for statement in try SQLStatement.folder("\(sql)/proofs") { try database.run(statement) }
  }
}
