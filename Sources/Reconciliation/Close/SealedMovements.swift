import Files
import Foundation
import Payments
import Reports
import Storage

/// The movements of a seal: `movements.csv` of its days, and `opening.csv` of the time between the previous closed
/// period and them.
struct SealedMovements {
  static let table = SealedTable(
    "movements.csv",
    [
      .init("provider"), .init("account"), .init("connected_account"), .init("currency"), .init("figure"),
      .init("amount", .amount), .init("booked_at", .instant), .init("payment_id"), .init("order_id"),
      .init("record_id"), .init("row_id"), .init("entry_id"), .init("kind"), .init("is_made", .integer),
    ], currency: 3)
  static let opening = SealedTable("opening.csv", table.columns, currency: 3)

  /// Identifies a sum of one seal: one record and one figure.
  struct Key: Hashable {
    var provider, account, connectedAccount, currency, figure, rowID: String
  }
  struct Sum {
    var recordID, paymentID, orderID: String
    var amountMinor: Int64
    var isMade: Bool
  }

  /// Passes on the sums of each record from the files of a seal.
  ///
  /// - Parameter folder: the folder of the seal.
  /// - Throws: `SealError` where a file cannot be read or does not have the expected form.
  static func read(_ folder: String, _ body: ([Key: Sum]) throws -> Void) throws {
    for (file, isOpening) in [(opening.name, true), (table.name, false)] {
      try read("\(folder)/\(file)", isOpening: isOpening, body)
    }
  }

  private static func read(_ path: String, isOpening: Bool, _ body: ([Key: Sum]) throws -> Void) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { throw SealError.unreadable(path) }
    defer { try? file.close() }
    let reader = try CSVReader { buffer in
      let count = Glibc.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
      guard count >= 0 else { throw SealError.unreadable(path) }
      return count
    }
    guard try reader.next(), reader.count == table.columns.count else { throw SealError.unreadable(path) }
    var (record, sums): ((String, String), [Key: Sum]) = (("", ""), [:])
    while try reader.next() {
      guard reader.problem == nil, reader.count == table.columns.count else { throw SealError.unreadable(path) }
      let (key, sum) = try row(reader, isOpening, path)
      if record != (key.provider, key.rowID) {
        if !sums.isEmpty { try body(sums) }
        (record, sums) = ((key.provider, key.rowID), [:])
      }
      sums[
        key,
        default: Sum(
          recordID: sum.recordID, paymentID: sum.paymentID, orderID: sum.orderID, amountMinor: 0, isMade: sum.isMade)
      ]
      .amountMinor += sum.amountMinor
    }
    if !sums.isEmpty { try body(sums) }
  }

  private static func row(_ reader: CSVReader, _ isOpening: Bool, _ path: String) throws -> (Key, Sum) {
    func text(_ place: Int) -> String { SealedTable.original(reader.text(place) ?? "") }
    guard let currency = try? Currency(code: text(3)), let money = try? Money.parse(text(5), currency) else {
      throw SealError.unreadable("\(path):\(reader.number)")
    }
    let key = Key(
      provider: text(0), account: text(1), connectedAccount: text(2), currency: text(3),
      figure: isOpening ? "opening" : text(4), rowID: text(10))
    return (
      key,
      Sum(
        recordID: text(9), paymentID: text(7), orderID: text(8), amountMinor: money.amountMinor,
        isMade: text(13) == "1")
    )
  }
}

/// A seal that is not as it was written.
package enum SealError: Error, CustomStringConvertible {
  case unreadable(String)
  case changed(String)

  package var description: String {
    switch self {
    case .unreadable(let place): "\(place): cannot be read; restore the sealed folder from a backup"
    case .changed(let place): "\(place): is not as it was sealed; restore the sealed folder from a backup"
    }
  }
}
