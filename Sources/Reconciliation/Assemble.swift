import Storage

/// The stage from entries to fund flows: sql/flows, one statement after the other.
struct Assemble {
  let database: any Database
  let sql: String

  /// The tables that every run derives anew, in no particular order.
  private static let derived = [
    "row_link", "payment_transfer", "entry", "flow", "payment_at", "refund_at", "dispute_at", "payment_reference", "match_link", "match_node",
    "group_at", "pair_at", "refund_match_at", "finding", "discrepancy", "proof_line", "row_echo", "payment_capture", "payment_hash", "order_hash",
    "presentment_echo",
  ]

  func run() throws {
    for table in Assemble.derived { try database.empty(table) }
    for statement in try Statement.folder("\(sql)/flows") {
      try database.derive(statement)
    }
  }
}
