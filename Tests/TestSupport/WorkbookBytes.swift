import Foundation

/// Workbooks whose bytes may differ between two runs of the same process on a busy machine (DECISIONS.md, open defects).
package enum WorkbookBytes {
  package static func mayDiffer(_ name: String) -> Bool { name.hasSuffix(".xlsx") || name == "statements.csv" }

  /// The lines of a list of statements without the sums of their workbooks.
  package static func withoutSums(_ statements: Data?) -> [Substring] {
    String(decoding: statements ?? Data(), as: UTF8.self).split(separator: "\n").map { line in
      line.firstRange(of: ".xlsx,").map { line[..<$0.lowerBound] } ?? line
    }
  }

  /// Keeps both versions of a file that differs, where somebody wants to look at them: `CROSSFOOT_TEST_KEEP` names a folder.
  package static func keep(_ name: String, _ first: Data?, _ again: Data?) {
    guard let folder = ProcessInfo.processInfo.environment["CROSSFOOT_TEST_KEEP"] else { return }
    let file = "\(folder)/\(UUID().uuidString)-" + name.replacing("/", with: "-")
    try? first?.write(to: URL(fileURLWithPath: file + ".first"))
    try? again?.write(to: URL(fileURLWithPath: file + ".again"))
  }
}
