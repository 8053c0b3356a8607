import Payments
import Storage

/// Reads the landed records of a batch, each table once, into the records of each provider.
final class LandedLoader {
  let database: any Database
  let batch: RecordBatch
  var providers: [ProviderRecords] = []
  private var places: [Text: Int] = [:]
  private let providerColumn = TextColumn()

  init(_ database: any Database, _ batch: RecordBatch) {
    self.database = database
    self.batch = batch
  }

  /// The records of every provider, by its name.
  ///
  /// - Throws: `StorageError`, `LoadError`.
  func load() throws -> [ProviderRecords] {
    try loadLedger()
    try loadPayments()
    try loadIntents()
    try loadReferences()
    try loadRefunds()
    try loadDisputes()
    try loadTransfers()
    try loadCommissions()
    try loadPayouts()
    try loadSettlements()
    try loadObservations()
    try loadCoverage()
    for index in providers.indices { try dropStated(&providers[index]) }
    return providers.sorted { $0.provider < $1.provider }
  }

  /// The instants of the snapshots, the opening first.
  func snapshots() throws -> [Int64] {
    var instants: [Int64] = []
    try database.query(LandedTable.snapshot.select("instant", of: batch, orderedBy: "moment")) {
      instants.append(try $0.number(0))
    }
    return instants
  }

  /// Passes on each row of a table with the index of its provider, which is the first column.
  func read(
    _ table: LandedTable, _ columns: String, orderedBy order: String? = nil, _ body: (any Row, Int) throws -> Void
  ) throws {
    try database.query(table.select("provider, \(columns)", of: batch, orderedBy: order)) { row in
      try body(row, place(of: row))
    }
  }

  private func place(of row: any Row) -> Int { place(of: providerColumn.read(row, 0) ?? "") }

  func place(of provider: Text) -> Int {
    if let place = places[provider] { return place }
    places[provider] = providers.count
    providers.append(ProviderRecords(provider: provider))
    return providers.count - 1
  }

  /// For a provider that reports events, drops stated payments, refunds and disputes: they are folded from the events.
  private func dropStated(_ records: inout ProviderRecords) throws {
    guard !(records.payments.isEmpty && records.refunds.isEmpty && records.disputes.isEmpty) else { return }
    let hasEvents = try database.integer(
      "select 1 from \(LandedTable.trait.name) where provider = $1 and trait = 'events'",
      [.text(records.provider.string)])
    if hasEvents != nil { (records.payments, records.refunds, records.disputes) = ([], [], []) }
  }
}

extension LandedLoader {
  private func loadLedger() throws {
    var rows: [(number: Int64, provider: Int, place: Int)] = []
    let account = TextColumn()
    let category = TextColumn()
    let kind = WordColumn<RecordKind>(of: .ledgerRow)
    let columns = """
      row_no, row_id, account, category, source_id, currency, amount_minor, fee_minor, net_minor, exchange_rate, \
      booked_at, available_at, \
      payout_id, payment_id, record_id, record_kind, connected_account, presentment_currency, presentment_minor, \
      is_echo, row_name
      """
    try read(.ledgerRow, columns, orderedBy: "row_no") { row, place in
      rows.append((try row.number(1), place, providers[place].rows.count))
      providers[place].rows.append(
        LedgerRecord(
          number: try row.number(1), rowID: row.key(2), account: account.read(row, 3) ?? "",
          category: category.read(row, 4) ?? "",
          sourceID: row.value(5), currency: row.key(6), amountMinor: try row.number(7), feeMinor: try row.number(8),
          netMinor: try row.number(9),
          exchangeRate: row.value(10), bookedAt: try row.number(11), availableAt: try row.integer(12),
          payoutID: row.value(13),
          paymentID: row.value(14), recordID: row.value(15), recordKind: try kind.read(row, 16),
          connectedAccount: row.value(17),
          presentmentCurrency: row.value(18), presentmentMinor: try row.integer(19), isSecondary: try row.flag(20),
          name: row.value(21)))
    }
    try loadPostings(of: rows)
  }

  /// Rows and postings come in the same order: each posting belongs to the current row.
  private func loadPostings(of rows: [(number: Int64, provider: Int, place: Int)]) throws {
    let kind = WordColumn<EntryKind>(of: .posting)
    let (from, to) = (WordColumn<Role>(of: .posting), WordColumn<Role>(of: .posting))
    let (feeType, description) = (TextColumn(), TextColumn())
    var next = 0
    let columns = "row_no, ordinal, kind, from_role, to_role, currency, amount_minor, fee_type, description"
    try database.query(LandedTable.posting.select(columns, of: batch, orderedBy: "row_no, ordinal")) { row in
      let number = try row.number(0)
      while next < rows.count && rows[next].number < number { next += 1 }
      guard next < rows.count, rows[next].number == number else { return }
      let (provider, place) = (rows[next].provider, rows[next].place)
      let end = providers[provider].postings.count
      let start =
        providers[provider].rows[place].postings.isEmpty ? end : providers[provider].rows[place].postings.lowerBound
      providers[provider].rows[place].postings = start..<end + 1
      providers[provider].postings.append(
        PostingRecord(
          ordinal: try row.number(1), kind: try kind.required(row, 2), from: try from.required(row, 3),
          to: try to.required(row, 4),
          currency: row.key(5), amountMinor: try row.number(6), feeType: feeType.read(row, 7),
          description: description.read(row, 8)))
    }
  }
}
