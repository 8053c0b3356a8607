import Files
import Foundation
import JSON
import Landing
import Logging
import Testing

@testable import Providers

/// The pull of a folder with settlement files.
@Suite struct FileStreamTests {
  private static let header = "ID,Amount,Settled At,Shopper\n"

  @Test func `rows land by the keys of our columns, with file and number, and nothing else of them`() async throws {
    try await FileNight.with { night in
      try night.put(
        "b.csv", "Shopper,Settled At,ID,Amount\nJane, 200 ,r1,1.50\n\nJoe,300,\"r\"\"2\",\nJim,300,total,9\n")
      let outcome = await night.pull()
      #expect(outcome.isComplete && outcome.objects == 2 && outcome.reason == nil)
      try #expect(
        night.lines() == [
          #"{"file":"b.csv","row":2,"id":"r1","amount":"1.50","settled_at":"200","day":"2"}"#,
          #"{"file":"b.csv","row":4,"id":"r\"2","settled_at":"300","day":"3"}"#,
        ])
      try #expect(night.newest().droppedFields == 2)
    }
  }

  @Test func `what has landed is not landed again, under whatever name`() async throws {
    try await FileNight.with { night in
      try night.put("a.csv", Self.header + "r1,1,200\n")
      try night.put("copy of a.csv", Self.header + "r1,1,200\n")
      #expect(await night.pull().objects == 1)
      try night.put("c.csv", Self.header + "r1,1,200\n")
      try night.put("b.csv", Self.header + "r2,1,300\n")
      #expect(await night.pull().objects == 1)
      #expect(await night.pull().objects == 0)
      try night.put("b.csv", Self.header + "r2,1,300\nr3,1,300\n")
      #expect(await night.pull().objects == 2)
      #expect(await night.pull(edition: "2").objects == 3)
    }
  }

  @Test func `coverage begins with the oldest moment reported, the watermark is the newest, over all nights`()
    async throws
  {
    try await FileNight.with { night in
      try night.put("a.csv", Self.header + "r1,1,200\nr2,1,900\n")
      _ = await night.pull()
      try night.put("b.csv", Self.header + "r3,1,700\n")
      _ = await night.pull()
      let manifest = try night.newest()
      #expect(manifest.pull.coversFrom == 200 && manifest.knownUntil == 900 && manifest.complete)
      #expect(manifest.pull.windowFrom == 0 && manifest.pull.windowTo == night.now)
    }
  }

  @Test func `a folder that never had a report covers nothing and knows nothing`() async throws {
    try await FileNight.with { night in
      #expect(await night.pull().isComplete)
      let manifest = try night.newest()
      #expect(manifest.pull.coversFrom == night.now && manifest.pull.watermark == FileNight.rangeFrom)
      #expect(manifest.knownUntil == nil)
    }
  }

  @Test func `a refused row is kept aside every night until it is mended, and holds the watermark`() async throws {
    try await FileNight.with { night in
      try night.put("a.csv", Self.header + "r1,1,200\n")
      _ = await night.pull()
      try night.put("b.csv", Self.header + "r2,1,300\nbad,1,300\nr4,1,300,x,y\n")
      for _ in 1...2 {
        #expect(await night.pull().isComplete)
        try #expect(
          night.refused() == [
            RefusedRecord(location: "b.csv:3", recordID: "bad", reason: "id: found bad"),
            RefusedRecord(location: "b.csv:4", reason: "the row has 5 cells, the header 4"),
          ])
        let newest = try night.newest()
        #expect(newest.objects == 3 && newest.knownUntil == 200)
      }
      try night.put("b.csv", Self.header + "r2,1,300\nr4,1,300\n")
      _ = await night.pull()
      let newest = try night.newest()
      try #expect(night.refused().isEmpty)
      #expect(newest.knownUntil == 300)
    }
  }

  @Test func `a refusal that silences nothing stands every night and leaves the watermark alone`() async throws {
    try await FileNight.with { night in
      try night.put("b.csv", Self.header + "r2,1,300\nunsigned,1,300\n")
      for _ in 1...2 {
        _ = await night.pull()
        try #expect(
          night.refused() == [RefusedRecord(location: "b.csv:3", reason: "nobody signed it", withholdsClaims: false)])
        try #expect(night.newest().knownUntil == 300)
      }
    }
  }

  @Test(arguments: [
    ("ID,Shopper\nr1,Jane\n", "the column settled_at is missing; the header row has ID, Shopper; "),
    ("", "the file is empty; deliver it again"),
    (header + "r1,1,200\nother tenant,1,200\nr3,1,200\n", "the file is another tenant's"),
    (header + "r1,1,200\nr2,1,200\nlast,1,200\n", "the file goes on after its last row"),
  ])
  func `a file that is refused lands as its name and reason alone`(text: String, reason: String) async throws {
    try await FileNight.with { night in
      try night.put("a.csv", text)
      try night.put("b.csv", Self.header + "r2,1,300\n")
      #expect(await night.pull().isComplete)
      let refused = try night.refused()
      #expect(refused.map(\.location) == ["a.csv"] && refused[0].reason.hasPrefix(reason) && refused[0].withholdsClaims)
      let newest = try night.newest()
      #expect(newest.objects == 2 && newest.knownUntil == nil)
    }
  }

  @Test func `files of another kind are passed over, those that must not be there are refused`() async throws {
    try await FileNight.with { night in
      try night.put("readme.txt", "hello")
      try night.put("a.xlsx", "PK")
      #expect(await night.pull().isComplete)
      try #expect(night.refused() == [RefusedRecord(location: "a.xlsx", reason: "deliver it as CSV")])
    }
  }

  @Test func `a folder or a file that cannot be had makes the pull incomplete, and the rest lands`() async throws {
    try await FileNight.with { night in
      try night.put("a.csv", Self.header + "r1,1,200\n")
      try FileManager.default.createSymbolicLink(atPath: night.inbox + "/b.csv", withDestinationPath: "nowhere")
      let outcome = await night.pull()
      #expect(outcome.objects == 1 && !outcome.isComplete)
      #expect(outcome.reason == "shop settlements: b.csv: cannot be read: No such file or directory")
      let newest = try night.newest()
      #expect(!newest.complete && newest.knownUntil == nil)
      try FileManager.default.removeItem(atPath: night.inbox)
      #expect(
        await night.pull().reason
          == "shop settlements: the folder \(night.inbox) is missing; create it, or correct its path in the "
          + "configuration"
      )
    }
  }

  @Test func `a source that reports length and date is not asked twice for the same file`() async throws {
    try await FileNight.with { night in
      let source = CountingSource(text: Self.header + "r1,1,200\n")
      for stamp in ["8 Mar 1", "8 Mar 1", "9 Mar 2", "9 Mar 2"] { _ = await night.pull(source.stamped(stamp)) }
      #expect(source.fetched.value == 2)
      try #expect(night.lines() == [])
    }
  }

  @Test(arguments: [
    ImportedFile(name: "a.csv", sha256: String(repeating: "0f", count: 32), isWhole: true),
    ImportedFile(
      name: "two words - 2.csv", sha256: String(repeating: "0f", count: 32), isWhole: false, isWithholding: true,
      reportedSpan: -5...7, stamp: "8Mar1"),
    ImportedFile(name: "a.csv", sha256: "-", isWhole: false),
  ])
  func `a page's name says all there is to know of its file`(file: ImportedFile) {
    #expect(ImportedFile(page: file.page) == file)
  }

  @Test(arguments: ["", "req_1", "a.csv", "- x"])
  func `other pages are no files`(page: String) {
    #expect(ImportedFile(page: page) == nil)
  }
}
