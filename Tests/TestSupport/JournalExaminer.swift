import Foundation
import Synchronization

/// beancount's and hledger's own programs, reported journal after journal: to start them anew for each would take
/// longer than to read it.
package final class JournalExaminer: Sendable {
  private let child: Mutex<Conversation>

  private init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "examine-journal.py"
    ).path
    child = Mutex(try Conversation(["/usr/bin/python3", script]))
  }

  private static let shared = Result { try JournalExaminer() }

  /// What is wrong with a range's journals, one sentence each; empty when both programs accept them and their balances
  /// are those of the reports.
  ///
  /// - Parameter before: the beancount journal of the range just before.
  /// - Throws: `CocoaError` when the programs are not installed: scripts/setup test installs them.
  package static func problems(beancount: String, hledger: String, csv: String, reports: String, before: String? = nil)
    throws -> [String]
  {
    // The journals are beside what a quick run is about.
    if QuickRun.isOn { return [] }
    let paths = ([beancount, hledger, csv, reports] + [before].compactMap { $0 }).joined(separator: "\t")
    return try shared.get().child.withLock { try $0.answer(to: paths) }
  }
}

/// A program that answers a line with lines, the last of them a `.`; it ends when its input does, also when the tests
/// are killed.
private final class Conversation {
  private let input: FileHandle
  private let output: UnsafeMutablePointer<FILE>
  private let child: Child

  init(_ words: [String]) throws {
    var (asked, said): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&asked) == 0, pipe(&said) == 0 else { throw CocoaError(.executableLoad) }
    for end in asked + said { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    child = try Child(words, answering: (asked[0], said[1]))
    close(asked[0])
    close(said[1])
    input = FileHandle(fileDescriptor: asked[1], closeOnDealloc: true)
    guard let stream = fdopen(said[0], "r") else { throw CocoaError(.executableLoad) }
    output = stream
  }

  deinit { fclose(output) }

  func answer(to line: String) throws -> [String] {
    try input.write(contentsOf: Data((line + "\n").utf8))
    var lines: [String] = []
    var (place, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(place) }
    while getline(&place, &size, output) > 0 {
      let said = place.map { String(cString: $0) }?.trimmingCharacters(in: .newlines) ?? ""
      if said == "." { return lines }
      lines.append(said)
    }
    throw CocoaError(
      .fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "it ended: are python3, beancount and hledger installed?"]
    )
  }
}
