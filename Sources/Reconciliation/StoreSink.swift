import Payments
import Storage

/// Puts the nouns of one landed file into the store's tables, by bulk load.
///
/// Ledger rows are immutable: one that is new goes straight in. One that is there already, and every one where the engine cannot tell, waits in
/// a table of its own and meets what is there in sql/landed. Everything else is replaced by its newest version.
final class StoreSink: RecordSink {
  private let database: any Database
  /// What earlier files had covered.
  let lateness: LandedFile.Lateness
  /// By the raw value of the table.
  private var loaders = [(any BulkLoader)?](repeating: nil, count: StoreTable.allCases.count)
  /// nil: the engine cannot tell whether a row is new.
  private var newRows: (any BulkLoader)??

  init(_ database: any Database, _ lateness: LandedFile.Lateness) {
    self.database = database
    self.lateness = lateness
  }

  func loader(_ table: StoreTable) throws -> any BulkLoader {
    if let loader = loaders[table.rawValue] { return loader }
    let loader = try database.bulkLoader(into: table.name, columns: table.columns, replacing: table.key)
    loaders[table.rawValue] = loader
    return loader
  }

  private func newRowLoader() throws -> (any BulkLoader)? {
    if let newRows { return newRows }
    let table = StoreTable.ledgerRow
    let loader = try database.bulkLoader(into: table.name, columns: table.columns, ifNew: table.key)
    newRows = .some(loader)
    return loader
  }

  package func add(_ row: LedgerRow, _ postings: [Posting]) throws {
    if let newRows = try newRowLoader(), try load(row, into: newRows, isStaged: false) {
      for posting in postings { try load(posting, into: try loader(.posting), line: nil) }
    } else {
      _ = try load(row, into: try loader(.ledgerRowRead), isStaged: true)
      for posting in postings { try load(posting, into: try loader(.postingRead), line: row.origin.line) }
    }
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
    _ = try newRows??.finish()
    newRows = nil
    for place in loaders.indices {
      _ = try loaders[place]?.finish()
      loaders[place] = nil
    }
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
