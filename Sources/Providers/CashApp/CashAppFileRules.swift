import Cryptography
import Files
import Foundation
import Payments
import Synchronization

/// What Cash App's settlement files hold, and which of it may land (docs/providers/cashapp.md section 2, Settlement
/// files).
///
/// The activity summary repeats the activity, and its published sample contradicts itself: it is skipped.
final class CashAppFileRules: FileRules {
  static let edition = "settlement files of Cash App, 1"
  var edition: String { Self.edition }
  private let clientID: String
  /// When each batch closed, from its rows: the balance summary does not state it.
  private let closes = Mutex<[String: Int64]>([:])

  /// - Parameter known: the files of earlier pulls.
  init(clientID: String, known: [ImportedFile]) {
    self.clientID = clientID
    for file in known { note(file) }
  }

  func layout(of name: String) -> FileLayout {
    guard let file = CashAppFileName(name, clientID: clientID) else {
      return name.lowercased().hasSuffix(".csv")
        ? .refused("the name is not that of a settlement file; see that it belongs here") : .foreign
    }
    guard file.clientID == clientID else { return .otherAccount }
    if [".pgp", ".gpg", ".asc"].contains(where: name.lowercased().hasSuffix) {
      return .refused("the file is encrypted; decrypt it before it is put here")
    }
    switch file.kind {
    case .activity: return .rows(Self.activity)
    case .balance: return .rows(Self.balance)
    case .disputes: return .rows(Self.disputes)
    case .summary: return .unread
    }
  }

  /// A file without a settlement file's name does not show its batch.
  func layout(ofHeading heading: FileHeading, name: String) -> FileLayout? {
    let isOne = [Self.activity, Self.balance, Self.disputes].contains { heading.has($0) }
    return isOne
      ? .refused(
        "the name is not that of a settlement file, which names its batch; deliver it under the name that Cash App "
          + "gave it"
      ) : nil
  }

  var namesStrays: Bool { true }

  /// The content of a balance summary does not name its batch, and those of two days without traffic are identical.
  func identity(of file: DeliveredFile) -> String {
    guard let name = CashAppFileName(file.name, clientID: clientID) else { return file.sha256 }
    let text = "\(name.kind.rawValue)/\(name.batchID)/\(name.chunk ?? 0)/\(file.sha256)"
    return SHA256.hash(text.utf8).hexadecimal
  }

  func begin(_ file: DeliveredFile) throws -> any FileReading {
    guard let name = CashAppFileName(file.name, clientID: clientID) else {
      throw CashAppReadError.unknownFile(file.name)
    }
    return CashAppFileReading(name, self)
  }

  /// The instant after the close of the newest complete batch that precedes both the first incomplete one and the first
  /// business day without a batch: the records of a lost batch are unknown.
  func knownUntil(_ files: [ImportedFile]) -> Int64? {
    let names = files.filter { !$0.isWithholding || $0.isWhole }.map(\.name)
    let batches = CashAppBatch.all(names, clientID: clientID).map { (isWhole: $0.isWhole, closedAt: close(of: $0)) }
    let hole = CashAppCalendar.firstHole(between: batches.map(\.closedAt).filter { $0 > 0 }.sorted())
    let gap = min(batches.filter { !$0.isWhole }.map(\.closedAt).min() ?? .max, hole ?? .max)
    let known = batches.filter { $0.isWhole && $0.closedAt < gap }.map { $0.closedAt + 1 }.max()
    // Where the very first batch is incomplete, its own day is not known either.
    return known ?? (gap == .max ? nil : max(gap - 86_400, 0))
  }

  private func close(of batch: CashAppBatch) -> Int64 {
    closes.withLock { $0[batch.batchID] } ?? batch.day.map { CashAppCalendar.cutOff(CivilDate(dayNumber: $0)) } ?? 0
  }

  /// A file without rows is dated by its name alone, and a later one may replace it: its batch then takes the earliest
  /// date.
  private func note(_ file: ImportedFile) {
    guard let name = CashAppFileName(file.name, clientID: clientID), name.kind == .activity,
      let reportedSpan = file.reportedSpan
    else {
      return
    }
    if let named = name.day.map(CashAppCalendar.cutOff), reportedSpan == named...named { return }
    note(batch: name.batchID, closedAt: reportedSpan.upperBound)
  }

  /// Records when a batch closed.
  func note(batch: String, closedAt: Int64) { closes.withLock { $0[batch] = max($0[batch] ?? closedAt, closedAt) } }

  /// When a batch closed, if one of its rows was read.
  func close(ofBatch batch: String) -> Int64? { closes.withLock { $0[batch] } }
}

extension CashAppFileRules {
  /// What is kept of an activity row: ids of the records and of the merchant, the merchant's id of the order, times and
  /// amounts. The merchant's own ids of itself and of refunds are not used by any rule.
  static let activity: [Column] = [
    .required("settlement_batch_id"), .required("transaction_type"), .required("transaction_time"),
    .required("settled_at"),
    .required("merchant_id"), .required("payment_id"), .required("payment_reference_id"), .required("refund_id"),
    .required("dispute_id"), .required("gross_amount"), .required("net_amount"), .required("fee_amount"),
    .optional("fee_variable"),
    .optional("fee_fixed"), .required("currency_code", or: "currency"),
  ]

  /// Which balance, and how much.
  static let balance: [Column] = [
    .required("category"), .required("currency", or: "currency_code"), .required("net_amount"),
  ]

  /// The state of a dispute. Only the first two columns of this file are published: the others are expected under the
  /// names that the API uses.
  static let disputes: [Column] = [
    .required("dispute_id"), .required("dispute_created_at"), .optional("payment_id"), .optional("merchant_id"),
    .optional("amount", or: "dispute_amount"), .optional("currency_code", or: "currency"),
    .optional("reason", or: "dispute_reason"),
    .optional("state", or: "dispute_state"), .optional("updated_at", or: "dispute_updated_at"),
    .optional("response_due_at"),
  ]
}

/// Reads one settlement file row by row: what cannot be read is refused before it lands.
private final class CashAppFileReading: FileReading {
  private(set) var reportedSpan: ClosedRange<Int64>?
  private let file: CashAppFileName
  private let rules: CashAppFileRules
  private var stated: Set<String> = []

  init(_ file: CashAppFileName, _ rules: CashAppFileRules) {
    self.file = file
    self.rules = rules
    if file.kind == .activity, let day = file.day {
      reportedSpan = CashAppCalendar.cutOff(day)...CashAppCalendar.cutOff(day)
    }
  }

  private var hasRows = false
  /// The contents of the rows of each id, with the number of each.
  private var contents: [String: [String: Int]] = [:]

  func read(_ row: FileRow) throws {
    let cells = CashAppCells(row)
    do {
      switch file.kind {
      case .activity:
        let activity = try CashAppActivity(cells)
        number(activity, row)
        note(activity)
      case .balance: try read(CashAppBalance(cells), row)
      case .disputes:
        _ = try (cells.required("dispute_id"), cells.requiredMoment("dispute_created_at"), cells.cents("amount"))
      case .summary: row.isLeftOut = true
      }
    } catch let error as CashAppReadError {
      throw row.refused(error.description, recordID: cells.recordID)
    }
  }

  /// Several rows with one id are several movements, and none replaces another; a row that is reported again keeps its
  /// number.
  private func number(_ row: CashAppActivity, _ line: FileRow) {
    let content = row.content ?? "\(line.number)"
    let place = contents[row.rowID]?[content] ?? contents[row.rowID]?.count ?? 0
    contents[row.rowID, default: [:]][content] = place
    if place > 0 { line["\(CashAppActivity.occurrence)"] = "\(place + 1)" }
  }

  /// A row states its own time and the close of its batch, more precisely than the file's name; only the close
  /// determines how far everything is known.
  private func note(_ row: CashAppActivity) {
    let closedAt = row.settledAt ?? row.happenedAt
    let known = hasRows ? reportedSpan : nil
    let begin = min(row.happenedAt, closedAt)
    reportedSpan = min(known?.lowerBound ?? begin, begin)...max(known?.upperBound ?? closedAt, closedAt)
    hasRows = true
    rules.note(batch: row.batchID, closedAt: closedAt)
  }

  private func read(_ row: CashAppBalance, _ line: FileRow) throws {
    stated.insert(row.word)
    if let closedAt = rules.close(ofBatch: file.batchID) { line["settled_at"] = Instant.text(closedAt) }
  }

  /// A balance summary always has four rows: one cut off between two of them would otherwise look complete.
  func end() throws {
    guard file.kind == .balance else { return }
    let missing = CashAppBalance.words.keys.filter { !stated.contains($0) }.sorted()
    if !missing.isEmpty {
      throw FileRefusal("the row \(missing.joined(separator: ", ")) is missing; see that the whole file was delivered")
    }
  }
}
