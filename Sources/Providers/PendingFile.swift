import Files
import Foundation
import Logging

/// A delivered file that has not landed yet.
struct PendingFile {
  let delivered: DeliveredFile?
  private let columns: [Column]
  private let prelude: Int
  private let mayBeEmpty: Bool
  private let mark: FileMark?
  /// Why the file is refused as a whole.
  private var refusal: String?
  private var isStray = false
  /// The content of its page.
  private(set) var known: ImportedFile

  init(_ delivered: DeliveredFile, stamp: String?, columns: [Column], prelude: Int, mayBeEmpty: Bool) {
    (self.delivered, self.columns, self.prelude, self.mayBeEmpty) = (delivered, columns, prelude, mayBeEmpty)
    mark = FileMark(path: delivered.path)
    known = ImportedFile(name: delivered.name, sha256: delivered.sha256, isWhole: true, stamp: stamp)
  }

  /// A file that is refused because of its name.
  init(name: String, stamp: String?, refusal: String) {
    (delivered, columns, prelude, mayBeEmpty, mark) = (nil, [], 0, false, nil)
    self.refusal = refusal
    known = ImportedFile(name: name, sha256: "-", isWhole: false, stamp: stamp)
  }

  /// A file that is not a report.
  init(stray name: String) {
    self.init(name: name, stamp: nil, refusal: "")
    isStray = true
  }

  /// A file with the same content as one that has landed.
  init(repeating twin: ImportedFile, as file: ListedFile) {
    (delivered, columns, prelude, mayBeEmpty, mark) = (nil, [], 0, false, nil)
    known = ImportedFile(
      name: file.name, sha256: twin.sha256, isWhole: true, reportedSpan: twin.reportedSpan, stamp: file.stamp)
  }

  /// Reads the file to its end without landing anything.
  ///
  /// - Throws: what the rules throw other than refusals, which is a programming error.
  mutating func check(by rules: any FileRules) throws {
    do {
      known.reportedSpan = try read(by: rules, good: { _ in }, refused: { _ in })
    } catch let problem as FileRefusal {
      refusal = problem.description
    } catch let record as RefusedRecord {
      refusal = record.reason
    }
  }

  /// Lands the rows, or the refusal of the file; returns its history entry.
  func land(with writer: FileWriter, rules: any FileRules, logger: Logger) throws -> ImportedFile {
    var known = known
    let refuse = { (record: RefusedRecord) in
      try writer.append(line: record.line)
      known.isWhole = false
      if record.withholdsClaims { known.isWithholding = true }
    }
    if isStray {
      try refuse(.stray(known.name))
    } else if let refusal {
      try refuse(RefusedRecord(location: known.name, reason: refusal))
    } else if delivered != nil {
      do {
        _ = try read(
          by: rules, good: { try writer.append(line: $0.line, dropped: $0.dropped) }, refused: refuse, logger: logger)
        if let mark, !mark.isUnchanged {
          throw FileRefusal("the file changed while it was read; it is read again with the next pull")
        }
      } catch let problem as FileRefusal {
        try refuse(RefusedRecord(location: known.name, reason: problem.description))
      } catch let record as RefusedRecord {
        try refuse(
          RefusedRecord(
            location: known.name, recordID: record.recordID, reason: record.reason,
            withholdsClaims: record.withholdsClaims))
      }
    }
    return known
  }

  /// Reads the file row by row; returns the span of instants that it reports.
  private func read(
    by rules: any FileRules, good: (FileRow) throws -> Void, refused: (RefusedRecord) throws -> Void,
    logger: Logger? = nil
  ) throws -> ClosedRange<Int64>? {
    guard let delivered else { return nil }
    let reading = try rules.begin(delivered)
    if delivered.bytes > 0 || !mayBeEmpty {
      let file = try DelimitedFile(path: delivered.path, columns: columns, prelude: prelude)
      if !file.unknownColumns.isEmpty {
        logger?.info(
          "\(delivered.name): columns that are not read: \(file.unknownColumns.joined(separator: ", ").prefix(500))")
      }
      let row = FileRow(of: file)
      while try file.next() {
        row.take(file)
        do {
          if let problem = file.problem { throw row.refused(problem) }
          try reading.read(row)
          if !row.isLeftOut { try good(row) }
        } catch let record as RefusedRecord {
          try refused(record)
        }
      }
    }
    try reading.end()
    return reading.reportedSpan
  }
}

/// What shows that a file was written to: its length, modification date and place on the disk.
private struct FileMark: Equatable {
  private let path: String
  private let length: Int64
  private let seconds: Int
  private let nanoseconds: Int
  private let place: UInt64

  /// Nil when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    (length, seconds, nanoseconds, place) = (
      Int64(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, UInt64(status.st_ino)
    )
  }

  var isUnchanged: Bool { FileMark(path: path) == self }
}
