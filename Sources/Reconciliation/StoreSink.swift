import Payments
import Storage

/// Puts the records of one landed file into the store's tables, by bulk load.
///
/// Ledger rows are immutable: a new one is inserted directly. A row that exists already, and every row if the engine
/// cannot determine which are new, is staged in a table of its own and merged by sql/landed. All other records are
/// replaced by their newest version.
final class StoreSink: RecordSink {
  private let database: any Database
  /// The time span that earlier files had covered.
  let lateness: LandedFile.Lateness
  /// The loaders, by the raw value of the table.
  private var loaders = [(any BulkLoader)?](repeating: nil, count: StoreTable.allCases.count)
  /// nil: the engine cannot determine whether a row is new.
  private var newRows: GroupedLoader??
  /// Rows that are not yet known to be new.
  private var waiting: [(row: LedgerRow, number: Int64, postings: [Posting])] = []
  /// How many rows are looked up at a time: as many as SQLite stores at once.
  private static let together = 16
  /// The number of ledger rows of the file so far; with the file's number it makes up a row's number.
  private var rows: Int64 = 0

  private let groups: RecordGroups?
  private let file: Int64

  /// - Parameters:
  ///   - groups: nil: the rows are only examined, and not kept.
  ///   - file: the landed file's number.
  init(_ database: any Database, _ lateness: LandedFile.Lateness, _ groups: RecordGroups?, file: Int64) {
    self.database = database
    self.file = file
    self.lateness = lateness
    self.groups = groups
  }

  func loader(_ table: StoreTable) throws -> any BulkLoader {
    if let loader = loaders[table.rawValue] { return loader }
    let loader = try grouped(table) { try database.bulkLoader(into: table.name, columns: $0, replacing: table.key) }
    loaders[table.rawValue] = loader
    return loader
  }

  /// Adds the group to each row of a table whose records have one.
  private func grouped(_ table: StoreTable, _ make: ([String]) throws -> any BulkLoader) throws -> any BulkLoader {
    guard let groups, !table.identifiers.isEmpty else { return try make(table.columns) }
    return GroupedLoader(try make(table.columns + GroupedLoader.columns), of: table, groups, file: file)
  }

  /// The tables that have received rows of the file so far.
  var tables: Set<StoreTable> {
    var tables = Set(StoreTable.allCases.filter { loaders[$0.rawValue] != nil })
    if newRows != nil || tables.contains(.ledgerRowRead) { tables.insert(.ledgerRow) }
    return tables
  }

  private func newRowLoader() throws -> GroupedLoader? {
    if let newRows { return newRows }
    let table = StoreTable.ledgerRow
    guard let groups else { return nil }
    let loader = try database.bulkLoader(
      into: table.name, columns: table.columns + GroupedLoader.columns, ifNew: table.key)
    newRows = .some(loader.map { GroupedLoader($0, of: table, groups, file: file) })
    return newRows ?? nil
  }

  package func add(_ row: LedgerRow, _ postings: [Posting]) throws {
    let number = row.origin.file << 32 | rows
    rows += 1
    guard !row.isWithdrawn, let newRows = try newRowLoader() else { return try stage(row, number, postings) }
    try load(row, number: number, into: newRows, isStaged: false)
    waiting.append((row, number, postings))
    if waiting.count == Self.together { try place() }
  }

  /// Inserts the postings of new rows; a row that existed already is staged for sql/landed.
  private func place() throws {
    guard let first = waiting.first?.number, let last = waiting.last?.number, let newRows = try newRowLoader() else {
      return
    }
    defer { waiting.removeAll(keepingCapacity: true) }
    let areAllNew = try newRows.flush() == waiting.count
    var new = Set<Int64>()
    if !areAllNew {
      try database.query(
        "select row_no from ledger_row where row_no between $1 and $2", [.integer(first), .integer(last)]
      ) {
        new.insert(try $0.integer(0) ?? 0)
      }
    }
    for place in waiting.indices {
      let number = waiting[place].number
      if areAllNew || new.contains(number) {
        for posting in waiting[place].postings { try load(posting, ofRow: number, into: try loader(.posting)) }
      } else {
        try stage(waiting[place].row, number, waiting[place].postings)
      }
    }
  }

  private func stage(_ row: LedgerRow, _ number: Int64, _ postings: [Posting]) throws {
    try load(row, number: number, into: try loader(.ledgerRowRead), isStaged: true)
    for posting in postings { try load(posting, ofRow: number, into: try loader(.postingRead)) }
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
          provider: order.source, recordID: order.orderID, wordOf: "order status", word: word, account: "",
          seenAt: order.placedAt))
    }
    for reference in Set(order.paymentReferences).sorted() {
      let loader = try loader(.orderPaymentReference)
      try loader.append(text: order.orderID)
      try loader.append(text: reference)
      try loader.append(integer: order.origin.file)
      try loader.endRow()
    }
  }

  /// Stores a refused record in the quarantine.
  func quarantine(_ refused: Refused) throws {
    let loader = try loader(.quarantine)
    for text in [refused.source, refused.stream, refused.location, refused.recordID, refused.reason] {
      try loader.append(text: text)
    }
    try loader.append(integer: refused.isStray ? -1 : refused.withholdsClaims ? 1 : 0)
    try loader.append(integer: refused.file)
    try loader.endRow()
  }

  /// Ends every load; nothing of the file is in the store before.
  func finish() throws {
    try place()
    _ = try newRows??.finish()
    newRows = nil
    for place in loaders.indices {
      _ = try loaders[place]?.finish()
      loaders[place] = nil
    }
  }
}

/// A record or file that could not be read or placed: it is in quarantine.csv.
struct Refused {
  var source: String
  var stream: String
  var location: String
  var recordID: String
  var reason: String
  /// Whether claims that rest on the source are withheld.
  var withholdsClaims = true
  /// Whether it is not a record at all, so that no source is incomplete because of it.
  var isStray = false
  var file: Int64?
}
