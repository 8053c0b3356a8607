import Foundation
import Storage

/// One statement of the sql folder: its file's name, its head comment, its text.
package struct SQLStatement: Sendable, Hashable {
  /// The file's name without number and extension: `20-order-reference.sql` is `order-reference`.
  package let name: String
  package let file: String
  package let text: String

  /// The head comment's lines without their dashes: the manual page.
  package var manual: [String] {
    lines.prefix { $0.hasPrefix("--") }.map { $0.dropFirst(2).trimmingPrefix(" ").description }
  }

  /// The line on which the statement begins below its head comment, from 1.
  var firstLine: Int {
    (lines.firstIndex { !$0.hasPrefix("--") && !$0.allSatisfy(\.isWhitespace) } ?? 0) + 1
  }

  /// Split by bytes: every run reads every head comment, and splitting by characters takes ten times as long.
  private var lines: [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
  }

  /// The table that the statement fills, if it fills one.
  package var target: String? {
    guard let found = text.firstMatch(of: /(?m)^(?:insert into|update) (\w+)/) else { return nil }
    return String(found.output.1)
  }

  /// Reads a file.
  ///
  /// - Throws: `SQLStatementError.unreadable`.
  package init(file: String) throws {
    guard let text = FileManager.default.contents(atPath: file).flatMap({ String(data: $0, encoding: .utf8) }) else {
      throw SQLStatementError.unreadable(file)
    }
    self.file = file
    self.text = text
    let stem = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
    name = String(stem.drop { $0.isNumber }.trimmingPrefix("-"))
  }

  /// Every statement of a folder, by file name.
  package static func folder(_ path: String) throws -> [SQLStatement] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw SQLStatementError.noFolder(path)
    }
    return try names.filter { $0.hasSuffix(".sql") }.sorted().map { try SQLStatement(file: "\(path)/\($0)") }
  }
}

/// Why a statement could not be used.
package enum SQLStatementError: Error, CustomStringConvertible {
  case unreadable(String)
  case noFolder(String)
  case failed(file: String, reason: String)
  case manual(file: String, String)
  case twin(file: String, other: String)
  case column(file: String, String)
  case refused(file: String, line: Int, reason: String)
  case twoRows(file: String, subject: String)

  package var description: String {
    switch self {
    case .unreadable(let file): "\(file): cannot be read as UTF-8 text; check the file and its permissions"
    case .noFolder(let path):
      "\(path): no such folder; ours are installed beside the program (or --resources names them), further ones are "
        + "named in the configuration"
    case .failed(let file, let reason): "\(file): the statement failed: \(reason)"
    case .manual(let file, let what): "\(file): its head comment \(what)"
    case .twin(let file, let other): "\(file): there is a check of this name already, \(other); rename the file"
    case .column(let file, let what): "\(file): its result \(what)"
    case .refused(let file, let line, let reason): "\(file):\(line): \(reason)"
    case .twoRows(let file, let subject):
      "\(file): its result has two rows for the subject \"\(subject)\" in one snapshot; expected one: combine them "
        + "into one row, or make the subject more specific"
    }
  }
}

extension Database {
  /// Runs a statement; an error other than a full disk names its file.
  @discardableResult
  func run(_ statement: SQLStatement, _ parameters: [SQLValue] = []) throws -> Int {
    do { return try execute(statement.text, parameters) } catch let error as StorageError where !error.isInputOutput {
      throw SQLStatementError.failed(file: statement.file, reason: "\(error)")
    }
  }

  /// Reads a statement's rows; an error names its file.
  func read(_ statement: SQLStatement, _ parameters: [SQLValue] = [], _ row: (any Row) throws -> Void) throws {
    do { try query(statement.text, parameters, row) } catch let error as StorageError where !error.isInputOutput {
      throw SQLStatementError.failed(file: statement.file, reason: "\(error)")
    }
  }

  /// Reads the rows of a statement that a team may have written: it cannot write, and has limits.
  func read(_ statement: SQLStatement, within limits: ReadLimits, _ row: (any Row) throws -> Void) throws {
    do { try query(statement.text, [], within: limits, row) } catch let error as StorageError where !error.isInputOutput
    {
      switch error {
      case .notReadOnly(let found, let line):
        let reason = "\(StorageError.notReadOnly(found: found, line: nil))"
        throw SQLStatementError.refused(file: statement.file, line: line ?? statement.firstLine, reason: reason)
      case .limitExceeded:
        throw SQLStatementError.refused(file: statement.file, line: statement.firstLine, reason: "\(error)")
      default: throw SQLStatementError.failed(file: statement.file, reason: "\(error)")
      }
    }
  }

  /// Runs a statement and refreshes the statistics of the table it fills.
  func derive(_ statement: SQLStatement) throws {
    try run(statement)
    if let table = statement.target { try refreshStatistics(of: table) }
  }
}
