import Foundation
import Testing

@testable import Files

/// Files that arrive compressed: what they hold counts, and they are known by it.
@Suite struct GzipTests {
  /// `id,amount` and one row, as gzip makes them.
  private static let packed = "H4sIAAAAAAAC/8tM0UnMzS/NK+GqMNQxNNAzMOACAFS1PcsTAAAA"
  private static let text = "id,amount\nx1,10.00\n"

  private func bytes() throws -> [UInt8] { try Array(#require(Data(base64Encoded: Self.packed))) }

  @Test func `a compressed file is the same delivery as what it holds, and reads like it`() throws {
    try DropBox.with { box in
      try box.put("a.csv", Self.text.utf8)
      try box.put("b.csv.gz", try bytes())
      let files = try DeliveredFolder(path: box.path).files()
      #expect(files.map(\.bytes) == [19, 19] && files[0].sha256 == files[1].sha256)
      let file = try DelimitedFile(path: files[1].path, columns: [.required("id"), .required("amount")])
      #expect(try file.next() && file.text(0) == "x1" && file.text(1) == "10.00")
      #expect(try !file.next())
      #expect(FileHeading(path: files[1].path).has([.required("Amount")]))
    }
  }

  @Test func `one that was cut off is refused`() throws {
    try DropBox.with { box in
      try box.put("a.csv.gz", Array(try bytes().dropLast(9)))
      let problem = try #require(throws: FolderProblem.self) { try DeliveredFolder(path: box.path).files() }
      #expect("\(problem)".hasPrefix("a.csv.gz cannot be unpacked"))
    }
  }

  @Test func `files in subfolders are named from the folder on; hidden ones and what a pattern names are passed over`()
    throws
  {
    try DropBox.with { box in
      for name in ["b.csv", "2026/a.csv", "2026/.sync/c.csv", ".d.csv", "old.bak", "drafts/e.csv", "e.csv.part"] {
        try box.put(name, "abc".utf8)
      }
      let folder = DeliveredFolder(path: box.path)
      #expect(try folder.allNames(ignoring: ["*.bak", "drafts"]) == ["2026/a.csv", "b.csv"])
      #expect(try folder.allNames(ignoring: []) == ["2026/a.csv", "b.csv", "drafts/e.csv", "old.bak"])
    }
  }
}
