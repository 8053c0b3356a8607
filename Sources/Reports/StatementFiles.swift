import Foundation
import Payments
import Storage

/// Splits the ordered rows of a report into statements: a CSV file and a workbook for every provider, connected account
/// and currency.
///
/// Writes `<report>/<provider>/<account>-<currency>.csv` and `.xlsx` below the publication, and `<report>.csv` beside
/// the other reports, which lists them with their balances and hashes. Only one account's files are open at a time, so
/// memory grows neither with accounts nor with rows.
final class StatementFiles {
  private let report: ReportDefinition
  private let rule: StatementRule
  private let heading: StatementHeading
  private let workbook: WorkbookSettings
  private let range: ReportRange
  /// The folder of the publication.
  private let folder: String
  private let list: CSVWriter
  private var open: SellerStatement?
  /// The last statement's key; the rows of a statement are adjacent, in this order.
  private var last: [[UInt8]] = []
  private var providers: Set<String> = []

  /// The lines at the top of every statement, besides the account.
  struct StatementHeading {
    let title: String
    /// The days in words.
    let days: String
    let timeZone: String
    /// The number of the close; nil: the range is open.
    let number: Int?
  }

  init(
    _ report: ReportDefinition, days: String, timeZone: String, range: ReportRange, workbook: WorkbookSettings,
    number: Int? = nil, in folder: String
  ) throws(ReportError) {
    guard let rule = report.statement else {
      throw .badDefinition(path: report.layoutPath, line: 0, reason: "it has no key statement")
    }
    self.report = report
    self.rule = rule
    self.workbook = workbook
    self.range = range
    self.folder = folder
    heading = StatementHeading(title: report.title, days: days, timeZone: timeZone, number: number)
    list = try CSVWriter(
      folder: folder, name: report.csvName,
      columns: [
        "provider", "connected_account", "currency", "opening", "closing", "rows", "file", "sha256", "workbook",
        "workbook_sha256", "number",
      ])
    try Self.makeFolder("\(folder)/\(report.name)")
  }

  /// - Returns: the list of the statements.
  /// - Throws: `ReportError`, or the database's error while reading.
  func write(from database: any Database) throws -> WrittenFile {
    var cells: RowWriter<StatementSheet>?
    var places: StatementPlaces?
    do {
      try database.query(report.query.sql, report.query.values(range), within: report.limits) { row in
        var writer = try cells ?? RowWriter(report: report, names: row.names)
        let columns = try places ?? StatementPlaces(report, rule, names: row.names)
        try take(row, columns, &writer)
        (cells, places) = (writer, columns)
      }
    } catch let error as StorageError {
      throw ReportError.refused(report.queryPath, error)
    }
    try close()
    try DurableFile.flushAll(folder)
    return try list.finish()
  }

  private func take(_ row: any Row, _ columns: StatementPlaces, _ cells: inout RowWriter<StatementSheet>) throws {
    let key = columns.key.map { row.withUTF8Text($0) { Array($0) } ?? [] }
    let number = cells.count + 1
    if open == nil || key != last {
      try close()
      guard last.isEmpty || last.lexicographicallyPrecedes(key, by: { $0.lexicographicallyPrecedes($1) }) else {
        throw refusal(
          number, "connected_account", "the rows are not in the order of provider, connected_account, currency")
      }
      last = key
      try begin(key.map { String(decoding: $0, as: UTF8.self) }, number)
    }
    guard let statement = open else { return }
    if let reason = statement.begin(try columns.movement(row)) { throw refusal(number, rule.balance, reason) }
    try cells.write(row, csv: statement.csv, sheet: statement.sheet)
    try statement.endRow()
  }

  private func begin(_ key: [String], _ number: Int) throws {
    let (provider, account) = (key[0], key[1])
    guard let currency = try? Currency(code: key[2]), !account.isEmpty else {
      throw refusal(
        number, "currency",
        "a statement is of a connected account, in a currency of ISO 4217; found \"\(key[2].prefix(10))\"")
    }
    let place = "\(report.name)/\(AccountName.text(provider))"
    if providers.insert(provider).inserted { try Self.makeFolder("\(folder)/\(place)") }
    open = try SellerStatement(
      report, rule, heading, provider: provider, account: account, currency: currency,
      path: "\(place)/\(AccountName.text(account))-\(currency.code)",
      workbook, createdAt: range.endsAt, in: folder)
  }

  /// Ends the open statement and adds it to the list.
  private func close() throws {
    guard let statement = open else { return }
    open = nil
    let written = try statement.finish()
    guard statement.isClosed else {
      throw refusal(
        0, "part",
        "the statement of \(statement.account) in \(statement.currency.code) has no row whose part is closing")
    }
    let digits = statement.currency.digits
    for text in [statement.provider, statement.account, statement.currency.code] { add(text) }
    list.amount(statement.opening, digits: digits)
    list.amount(statement.balance, digits: digits)
    list.integer(statement.movements)
    for file in [written.csv, written.workbook] {
      add(file?.name ?? "")
      add(file?.sha256 ?? "")
    }
    if let number = heading.number { list.integer(Int64(number)) } else { list.blank() }
    try list.endRow()
  }

  private func add(_ text: String) {
    var text = text
    text.withUTF8 { list.text(UnsafeRawBufferPointer($0)) }
  }

  private func refusal(_ row: Int, _ column: String, _ reason: String) -> ReportError {
    .badCell(path: report.queryPath, row: row, column: column, reason: reason)
  }

  private static func makeFolder(_ path: String) throws(ReportError) {
    guard mkdir(path, 0o750) == 0 else { throw ReportError(errno, path) }
  }
}

/// The columns of a statement's row that are needed for the balance.
struct StatementPlaces {
  /// Provider, connected account, currency.
  let key: [Int]
  private let part: Int
  private let balance: Int
  private let adds: [Int]
  private let subtracts: [Int]

  init(_ report: ReportDefinition, _ rule: StatementRule, names: [String]) throws(ReportError) {
    func find(_ name: String) throws(ReportError) -> Int {
      if let index = names.firstIndex(of: name) { return index }
      throw .badDefinition(path: report.queryPath, line: 0, reason: "a statement's query yields a column \(name)")
    }
    func find(_ columns: [String]) throws(ReportError) -> [Int] {
      var places: [Int] = []
      for name in columns { places.append(try find(report.columns.first { $0.name == name }?.source ?? name)) }
      return places
    }
    key = try find(["provider", "connected_account", "currency"])
    part = try find("part")
    balance = try find([rule.balance])[0]
    adds = try find(rule.adds)
    subtracts = try find(rule.subtracts)
  }

  /// - Throws: `StorageError.notAnInteger`.
  func movement(_ row: any Row) throws -> SellerStatement.Movement {
    var change: Int64? = 0
    for place in adds { change = change.adding(try row.integer(place) ?? 0) }
    for place in subtracts { change = change.adding(-(try row.integer(place) ?? 0)) }
    return SellerStatement.Movement(
      part: SellerStatement.Part(rawValue: row.text(part) ?? ""), change: change, balance: try row.integer(balance))
  }
}

extension Int64? {
  /// The sum; nil once it is beyond 64 bits.
  func adding(_ other: Int64) -> Int64? {
    guard let self else { return nil }
    let sum = self.addingReportingOverflow(other)
    return sum.overflow ? nil : sum.partialValue
  }
}
