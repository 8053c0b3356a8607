import Cryptography
import Files
import Foundation
import Payments

/// One settlement detail report, from a folder or a download.
struct AdyenReport {
  let name: String
  let batch: Int64
  /// Of the whole content: the same report under another name is the same delivery.
  let sha256: String
  private let open: () throws(FileRefusal) -> DelimitedFile

  init(_ file: DeliveredFile, batch: Int64) {
    (name, self.batch, sha256) = (file.name, batch, file.sha256)
    open = { () throws(FileRefusal) in try DelimitedFile(path: file.path, columns: AdyenColumns.settlement) }
  }

  init(name: String, batch: Int64, body: [UInt8]) {
    (self.name, self.batch) = (name, batch)
    sha256 = SHA256.hash(body).hexadecimal
    open = { () throws(FileRefusal) in try DelimitedFile(name: name, bytes: body, columns: AdyenColumns.settlement) }
  }

  /// The batch from a file's first row that has one; nil where none has, or where the file cannot be read.
  static func firstBatch(of file: DeliveredFile) -> Int64? {
    let column: [Column] = [.required("Batch Number")]
    guard let rows = try? DelimitedFile(path: file.path, columns: column) else { return nil }
    while (try? rows.next()) == true {
      if rows.problem == nil, let number = Int64(rows.text(0).prefix { $0 != "." }), number >= 0 { return number }
    }
    return nil
  }

  /// What must be known of a report before any of its rows lands.
  struct Survey {
    /// Rows of the configured account, and of others.
    var rows = 0
    var otherAccounts = 0
    /// The first and the last instant that it reports.
    var oldest: Int64?
    var newest: Int64?
  }

  /// Reads the report once without landing anything.
  ///
  /// - Throws: `FileRefusal` for a report that cannot be read, or that a spreadsheet has damaged: its references are
  ///   lost, so no row of it counts.
  func survey(account: String, clock: AdyenClock) throws(FileRefusal) -> Survey {
    var survey = Survey()
    let file = try open()
    while try file.next() {
      guard file.problem == nil else { continue }
      guard file.text(AdyenColumns.account) == account else {
        survey.otherAccounts += 1
        continue
      }
      survey.rows += 1
      for column in AdyenColumns.references where AdyenSettlementRowError.isDamaged(file.text(column)) {
        throw FileRefusal(
          "row \(file.row): \(AdyenSettlementRowError.spreadsheet(file.columns[column].key, file.text(column)))")
      }
      for (moment, zone) in AdyenColumns.moments {
        guard let instant = try? clock.instant(file.text(moment), file.text(zone)) else { continue }
        survey.oldest = min(survey.oldest ?? instant, instant)
        survey.newest = max(survey.newest ?? instant, instant)
      }
    }
    return survey
  }

  /// Passes each row of the account as the line to land, or its refusal.
  func lines(account: String, _ take: (Result<[UInt8], RefusedRecord>) throws -> Void) throws {
    let file = try open()
    let row = FileRow(of: file, name: name, keys: AdyenColumns.keys)
    while try file.next() {
      row.take(file)
      if let problem = file.problem {
        try take(.failure(row.refused(problem)))
      } else if row["merchant_account"] == account {
        try take(.success(row.line))
      }
    }
  }
}
