import Foundation
import Testing

@testable import Reports

/// A range is published as a whole by one rename; what is interrupted changes nothing.
@Suite struct PublicationTests {
  private let range = PublishedRange(Night.range)

  /// Publishes a file `a.csv` with this content.
  @discardableResult
  private func publish(_ content: String, _ range: PublishedRange? = nil, in folder: String) throws -> Publication {
    let publication = try Publication(range ?? self.range, in: folder)
    try publication.add("a.csv", Array(content.utf8))
    try publication.seal(runJSON: Array("{\"supersedes\": \"\(publication.supersedes ?? "")\"}".utf8))
    return publication
  }

  private func days(_ from: String, _ to: String, asOf: String? = nil) -> PublishedRange {
    PublishedRange(ReportRange(firstDay: Night.day(from), lastDay: Night.day(to), startsAt: 0, endsAt: 1), asOf: asOf)
  }

  private func target(_ path: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  @Test func `the link shows the newest publication, and each names what it supersedes`() throws {
    try Night.folder { folder in
      let first = try publish("one", in: folder)
      let second = try publish("two", in: folder)
      #expect(first.supersedes == nil && second.supersedes == "2026-03-01-1")
      try #expect(Night.text("\(folder)/2026-03-01/a.csv") == "two")
      try #expect(target("\(folder)/2026-03-01") == ".published/2026-03-01-2")
      try #expect(target("\(folder)/latest") == "2026-03-01")
    }
  }

  @Test func `a failed publication leaves the former in place and nothing behind`() throws {
    try Night.folder { folder in
      try publish("one", in: folder)
      do {
        let broken = try Publication(range, in: folder)
        try broken.add("a.csv", Array("half".utf8))
      }
      try #expect(Night.text("\(folder)/2026-03-01/a.csv") == "one")
      try #expect(FileManager.default.contentsOfDirectory(atPath: "\(folder)/.published") == ["2026-03-01-1"])
    }
  }

  @Test func `what a killed run left is cleared by the next, whether it had written run.json or not`() throws {
    try Night.folder { folder in
      try publish("one", in: folder)
      let published = "\(folder)/.published"
      for (name, file) in [
        ("2026-03-01-2", "a.csv"), ("2026-03-01-3", "run.json"), ("2026-02-01_2026-02-28-1", "a.csv"),
      ] {
        try FileManager.default.createDirectory(atPath: "\(published)/\(name)", withIntermediateDirectories: true)
        try "half".write(toFile: "\(published)/\(name)/\(file)", atomically: true, encoding: .utf8)
      }
      try FileManager.default.createSymbolicLink(
        atPath: "\(published)/.next-2026-03-01", withDestinationPath: ".published/2026-03-01-3")
      try #expect(Night.text("\(folder)/2026-03-01/a.csv") == "one")
      let next = try publish("two", in: folder)
      #expect(next.supersedes == "2026-03-01-1")
      try #expect(FileManager.default.contentsOfDirectory(atPath: published) == ["2026-03-01-2"])
      try #expect(Night.text("\(folder)/2026-03-01/a.csv") == "two")
    }
  }

  @Test func `latest shows the range that ends last`() throws {
    try Night.folder { folder in
      try publish("a", days("2026-03-02", "2026-03-02"), in: folder)
      try publish("b", days("2026-03-01", "2026-03-01"), in: folder)
      try #expect(target("\(folder)/latest") == "2026-03-02")
      try publish("c", days("2026-02-01", "2026-03-02"), in: folder)
      try #expect(target("\(folder)/latest") == "2026-02-01_2026-03-02")
      try publish("d", days("2026-03-03", "2026-03-03", asOf: "2026-03-05T00:00:00Z"), in: folder)
      try #expect(target("\(folder)/latest") == "2026-02-01_2026-03-02")
      try #expect(Night.text("\(folder)/2026-03-03@2026-03-05T00:00:00Z/a.csv") == "d")
    }
  }

  @Test func `the newest publication of each range is kept`() throws {
    try Night.folder { folder in
      try publish("other", days("2026-02-28", "2026-02-28"), in: folder)
      for number in 1...12 { try publish("\(number)", in: folder) }
      let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.published")
      #expect(Set(kept) == ["2026-03-01-12", "2026-02-28-1"])
      try #expect(Night.text("\(folder)/2026-03-01/a.csv") == "12")
    }
  }

  @Test func `a folder of somebody else in the place of the link is not touched`() throws {
    try Night.folder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/2026-03-01", withIntermediateDirectories: true)
      let error = try #require(throws: ReportError.self) { try publish("one", in: folder) }
      #expect("\(error)".contains("it is no symbolic link"), "\(error)")
    }
  }

  @Test func `a full disk is a sentence, and the former publication stays`() throws {
    let error = ReportError(ENOSPC, "/output/entries.csv")
    #expect("\(error)".contains("no space left on the disk; what was published or closed before is untouched"))
    #expect(error.isInputOutput)
    let full = try #require(throws: ReportError.self) {
      let file = try DurableFile(existing: "/dev/full")
      try [1, 2, 3].withUnsafeBytes { bytes in try file.write(bytes) }
    }
    #expect("\(full)".hasPrefix("/dev/full: no space left"))
  }

  @Test func `the whole night is published, and run.json knows the hash of every file`() throws {
    try Night.store { database in
      try Night.folder { folder in
        var named: [String] = []
        let link = try Publication.publish(Night.run(), summary: Night.summary(database), from: database, into: folder)
        {
          files, _ in
          named = files.map(\.name)
          return Array("{\(files.map { "\"\($0.name)\": \"\($0.sha256)\"" }.joined(separator: ", "))}".utf8)
        }
        #expect(link == "\(folder)/2026-03-01")
        let names = try FileManager.default.contentsOfDirectory(atPath: link)
        #expect(Set(names) == Set(named + ["run.json"]) && named.last == "reconciliation.xlsx" && named.count == 12)
      }
    }
  }
}
