import Foundation
import Testing

@testable import Files

/// A folder that somebody else fills.
@Suite struct DeliveredFolderTests {
  @Test func `files come sorted, with length and SHA-256; hidden ones, folders and uploads under way do not`() throws {
    try DropBox.with { box in
      for name in ["b.csv", "a.csv", ".a.csv", "c.csv.part", "c.csv.tmp", "c.csv.FILEPART", "c.csv~", "old/d.csv"] {
        try box.put(name, "abc".utf8)
      }
      let files = try DeliveredFolder(path: box.path).files()
      #expect(files.map(\.name) == ["a.csv", "b.csv"])
      #expect(files.map(\.path) == [box.path + "/a.csv", box.path + "/b.csv"])
      #expect(files.map(\.bytes) == [3, 3])
      #expect(files.allSatisfy { $0.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" })
    }
  }

  @Test func `a file longer than one piece has the SHA-256 of the whole`() throws {
    try DropBox.with { box in
      try box.put("million.csv", [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
      let file = try #require(try DeliveredFolder(path: box.path).files().first)
      #expect(file.bytes == 1_000_000)
      #expect(file.sha256 == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
  }

  @Test func `an empty folder has no files`() throws {
    try DropBox.with { box in try #expect(DeliveredFolder(path: box.path).files().isEmpty) }
  }

  @Test func `a folder that cannot be used says what to do`() throws {
    try DropBox.with { box in
      let file = try box.put("a.csv", "abc".utf8)
      #expect(throws: FolderProblem.missing(box.path + "/no")) { try DeliveredFolder(path: box.path + "/no").files() }
      #expect(throws: FolderProblem.noFolder(file)) { try DeliveredFolder(path: file).files() }
      #expect(
        "\(FolderProblem.missing("in"))"
          == "the folder in is missing; create it, or correct its path in the configuration")
    }
  }

  @Test func `a file that cannot be read is named`() throws {
    try DropBox.with { box in
      try FileManager.default.createSymbolicLink(
        atPath: box.path + "/gone.csv", withDestinationPath: box.path + "/nowhere")
      let problem = try #require(throws: FolderProblem.self) { try DeliveredFolder(path: box.path).files() }
      #expect(
        "\(problem)"
          == "gone.csv cannot be read: No such file or directory; let the user who runs this read it, or deliver it "
          + "again"
      )
    }
  }

  @Test(arguments: ["pipe", "link to a device"]) func `what is no file is named, and nothing waits for it`(
    kind: String
  ) throws {
    try DropBox.with { box in
      if kind == "pipe" {
        #expect(mkfifo(box.path + "/a.csv", 0o600) == 0)
      } else {
        try FileManager.default.createSymbolicLink(atPath: box.path + "/a.csv", withDestinationPath: "/dev/zero")
      }
      let problem = try #require(throws: FolderProblem.self) { try DeliveredFolder(path: box.path).files() }
      #expect("\(problem)".hasPrefix("a.csv cannot be read: it is a pipe or a device, and not a file"))
    }
  }
}
