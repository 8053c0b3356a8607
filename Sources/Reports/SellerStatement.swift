import Foundation
import Payments

/// One statement being written: a connected account's movements in one currency, from its opening to its closing.
///
/// It checks itself: a row whose balance is not the previous balance plus the row's own amounts is refused, and nothing
/// is published.
final class SellerStatement {
  /// The part of the statement that a row is; the raw value is the query's word.
  enum Part: String { case opening, movement, closing }
  /// A row's effect on the balance.
  struct Movement {
    let part: Part?
    /// Minor units; nil if it does not fit in 64 bits.
    let change: Int64?
    let balance: Int64?
  }

  let provider: String
  let account: String
  let currency: Currency
  let csv: CSVWriter?
  let sheet: StatementSheet?
  private(set) var opening: Int64 = 0
  private(set) var balance: Int64 = 0
  private(set) var movements: Int64 = 0
  private(set) var isClosed = false
  private var isOpened = false
  private let book: Workbook?
  private let path: String
  private let folder: String

  /// - Parameter path: the path of the files below the publication's folder, without their extensions.
  init(
    _ report: ReportDefinition, _ rule: StatementRule, _ heading: StatementFiles.StatementHeading, provider: String,
    account: String,
    currency: Currency, path: String, _ settings: WorkbookSettings, createdAt: Int64, in folder: String
  ) throws(ReportError) {
    self.provider = provider
    self.account = account
    self.currency = currency
    self.path = path
    self.folder = folder
    csv =
      report.destination.includesCSV
      ? try CSVWriter(
        folder: folder, name: "\(path).csv", columns: report.columns.filter(\.destination.includesCSV).map(\.name),
        isFlushed: false) : nil
    guard report.destination.includesSheet else {
      (book, sheet) = (nil, nil)
      return
    }
    let book = try Workbook(
      path: "\(folder)/\(path).xlsx", title: "\(heading.title) \(account) \(currency.code) \(heading.days)",
      createdAt: createdAt,
      settings: settings)
    self.book = book
    sheet = try StatementSheet(book, report, rule, maximumRows: settings.maximumRows, currency: currency)
    let title = heading.number.map { "\(heading.title) \($0)" } ?? heading.title
    try sheet?.begin([
      "\(title): \(account), \(currency.code)", "\(heading.days), days in \(heading.timeZone)", "",
    ])
  }

  /// Begins the next row.
  ///
  /// - Returns: what is wrong with it; nil when it continues the statement.
  func begin(_ movement: Movement) -> String? {
    guard let part = movement.part else { return "part is none of opening, movement, closing" }
    guard (part == .opening) == !isOpened, !isClosed else {
      return "a statement is one row opening, its movements, one row closing"
    }
    guard let stated = movement.balance, let change = movement.change else {
      return "no balance, or one beyond what an amount can be"
    }
    if part == .opening {
      (opening, balance, isOpened) = (stated, stated, true)
    } else {
      guard let expected = Int64?.some(balance).adding(change), expected == stated, part == .movement || change == 0
      else {
        return "the balance \(stated) does not continue \(balance) with a movement of \(change), in minor units"
      }
      balance = stated
      movements += part == .movement ? 1 : 0
    }
    isClosed = part == .closing
    sheet?.part = part
    return nil
  }

  func endRow() throws(ReportError) {
    try csv?.endRow()
    try sheet?.endRow()
  }

  /// Ends both files; all statements together are flushed to the disk once.
  func finish() throws -> (csv: WrittenFile?, workbook: WrittenFile?) {
    let file = try csv?.finish()
    try sheet?.finish(csvName: file.map { ($0.name as NSString).lastPathComponent })
    guard let book else { return (file, nil) }
    try book.close(isFlushed: false)
    return (file, try ReportRun.measured("\(path).xlsx", in: folder))
  }
}
