import Payments
import Storage

/// Puts the nouns of one landed file into the store's tables, by bulk load.
///
/// Ledger rows are immutable, so they go through a table of their own first and meet what is there in sql/landed; everything else is
/// replaced by its newest version.
final class StoreSink: RecordSink {
  private let database: any Database
  private var loaders: [StoreTable: any BulkLoader] = [:]
  /// How many nouns were read.
  private(set) var count = 0

  init(_ database: any Database) { self.database = database }

  func loader(_ table: StoreTable) throws -> any BulkLoader {
    count += 1
    if let loader = loaders[table] { return loader }
    let loader = try database.bulkLoader(into: table.rawValue, columns: table.columns, replacing: table.key)
    loaders[table] = loader
    return loader
  }

  package func add(_ row: LedgerRow, _ postings: [Posting]) throws {
    try load(row)
    for posting in postings { try load(posting, line: row.origin.line) }
  }

  package func add(_ dispute: Dispute) throws {
    try load(dispute)
    for rowID in dispute.rowIDs {
      let loader = try loader(.disputeRow)
      try loader.append(text: dispute.provider)
      try loader.append(text: rowID)
      try loader.append(text: dispute.disputeID)
      try loader.endRow()
    }
  }

  func add(_ order: Order) throws {
    try load(order)
    if let word = order.statusWord {
      try add(
        UnknownWord(
          provider: order.source, recordID: order.orderID, wordOf: "order status", word: word, account: "", seenAt: order.placedAt))
    }
    for reference in Set(order.paymentReferences).sorted() {
      let loader = try loader(.orderPaymentReference)
      try loader.append(text: order.orderID)
      try loader.append(text: reference)
      try loader.append(integer: order.origin.file)
      try loader.endRow()
    }
  }

  /// Keeps a record that was refused.
  func quarantine(_ refused: Refused) throws {
    let loader = try loader(.quarantine)
    for text in [refused.source, refused.stream, refused.location, refused.recordID, refused.reason] {
      try loader.append(text: text)
    }
    try loader.append(integer: refused.silences ? 1 : 0)
    try loader.append(integer: refused.file)
    try loader.endRow()
  }

  /// Ends every load; nothing of the file is in the store before.
  func finish() throws {
    for table in StoreTable.allCases { _ = try loaders[table]?.finish() }
    loaders = [:]
  }
}

/// A record or file that could not be read or placed: it stands in quarantine.csv.
struct Refused {
  var source: String
  var stream: String
  var location: String
  var recordID: String
  var reason: String
  /// Whether claims that rest on the source are withheld.
  var silences = true
  var file: Int64?
}
