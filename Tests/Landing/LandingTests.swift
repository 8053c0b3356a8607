import Foundation
import Landing
import Testing

@Suite struct LandingTests {
  @Test func `what lands is read back line by line, and its manifest says all about it`() throws {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    #expect(writer.resumeCursor == nil)
    try writer.writePage(0, cursor: "ch_0_2")
    try writer.writePage(1, of: 2, cursor: nil)
    let written = try writer.finish(complete: true, reason: nil)

    let manifests = try workplace.landing.manifests(asOf: nil)
    #expect(manifests == [written])
    #expect(written.path == "stripe/charges/20260301T031500Z-001.jsonl.zst")
    #expect(written.pull == .charges() && written.observedAt == night && written.startedAt == night)
    #expect(written.complete && written.reason == nil && written.objects == 5 && written.droppedFields == 10)
    #expect(written.pages.map(\.objects) == [3, 2] && written.pages.map(\.cursor) == ["ch_0_2", nil])
    #expect(
      written.pages.map(\.requestID) == ["req_0", "req_1"] && written.pages.map(\.bytes).reduce(0, +) == written.bytes)
    #expect(try workplace.lines() == records(0..<1) + records(1..<2, of: 2))
    #expect(
      workplace.files() == [
        "stripe/charges/20260301T031500Z-001.jsonl.zst", "stripe/charges/20260301T031500Z-001.manifest.json",
      ])
  }

  @Test func `a zone that is not there, or holds other things, lists nothing of them`() throws {
    #expect(try Landing(directory: "/nonexistent/landing").manifests(asOf: nil) == [])
    let workplace = try Workplace()
    try workplace.replace("README", with: Array("hello".utf8))
    #expect(try workplace.landing.manifests(asOf: nil) == [])
  }

  @Test func `an empty pull is landed too: knowing that there was nothing is a claim`() throws {
    let workplace = try Workplace()
    let manifest = try workplace.landing.open(.charges(), observedAt: night).finish(complete: true)
    #expect(manifest.objects == 0 && manifest.complete)
    #expect(try workplace.lines() == [])
  }

  @Test func `an incomplete pull keeps its records and says why`() throws {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    try writer.writePage(0, cursor: "ch_0_2")
    try writer.append(line: Array(record(1, 0).utf8))
    _ = try writer.finish(complete: false, reason: "HTTP 403 (req_9): the key may not read charges")
    let manifest = try #require(try workplace.landing.manifests(asOf: nil).first)
    #expect(!manifest.complete && manifest.reason == "HTTP 403 (req_9): the key may not read charges")
    #expect(try workplace.lines() == records(0..<1) + [record(1, 0)])
  }

  @Test func `files are read in the order in which they landed, whatever the clock said`() throws {
    let workplace = try Workplace()
    for (stream, moment) in [
      ("refunds", night + 60), ("charges", night), ("charges", night + 60), ("charges", night), ("balances", night),
    ] {
      _ = try workplace.landing.open(.charges(stream: stream), observedAt: moment).finish(complete: true)
    }
    let listed = try workplace.landing.manifests(asOf: nil).map(\.path)
    #expect(
      listed == [
        "stripe/refunds/20260301T031600Z-001.jsonl.zst", "stripe/charges/20260301T031500Z-001.jsonl.zst",
        "stripe/charges/20260301T031600Z-001.jsonl.zst", "stripe/charges/20260301T031500Z-002.jsonl.zst",
        "stripe/balances/20260301T031500Z-001.jsonl.zst",
      ])
    #expect(try workplace.landing.manifests(asOf: night).map(\.path) == listed.filter { $0.contains("0315") })
    #expect(try workplace.landing.manifests(asOf: night - 1) == [])
  }

  @Test func `a name that is no folder's is encoded, and still read back`() throws {
    let workplace = try Workplace()
    let pull = StreamPull.charges(provider: "../Web Shop ☂", stream: ".orders")
    let writer = try workplace.landing.open(pull, observedAt: night)
    try writer.writePage(0, cursor: nil)
    let manifest = try writer.finish(complete: true)
    #expect(manifest.path == "%2E%2E%2FWeb%20Shop%20%E2%98%82/%2Eorders/20260301T031500Z-001.jsonl.zst")
    #expect(try workplace.landing.manifests(asOf: nil).map(\.provider) == ["../Web Shop ☂"])
    #expect(try workplace.lines() == records(0..<1))
  }

  @Test func `one stream has one writer at a time, other streams have their own`() async throws {
    let workplace = try Workplace()
    let landing = workplace.landing
    let writer = try landing.open(.charges(), observedAt: night)
    #expect(throws: LandingError.busy(folder: workplace.directory + "/stripe/charges")) {
      _ = try landing.open(.charges(windowFrom: 0), observedAt: night)
    }
    try await withThrowingTaskGroup(of: Manifest.self) { group in
      for number in 0..<8 {
        group.addTask {
          let other = try landing.open(.charges(stream: "stream_\(number)"), observedAt: night)
          for page in 0..<20 { try other.writePage(page, cursor: "c\(page)") }
          return try other.finish(complete: true)
        }
      }
      for try await manifest in group { #expect(try workplace.lines(of: manifest) == records(0..<20)) }
    }
    _ = try writer.finish(complete: true)
    let next = try landing.open(.charges(), observedAt: night)
    #expect(next.objects == 0 && writer.objects == 0)
  }

  @Test func `a record with a line break is refused, and the writer goes on`() throws {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    #expect(throws: LandingError.lineBreak(provider: "stripe", stream: "charges")) {
      try writer.append(line: Array("{\n}".utf8))
    }
    try writer.writePage(0, cursor: nil)
    _ = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<1))
  }

  @Test func `a line longer than any buffer comes back whole`() throws {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    let long = #"{"a":""# + String(repeating: "0123456789", count: 1_000_000) + #""}"#
    try writer.append(line: Array(record(0, 0).utf8))
    try writer.append(line: Array(long.utf8))
    try writer.append(line: Array(record(0, 1).utf8))
    let manifest = try writer.finish(complete: true)
    #expect(try workplace.lines(of: manifest) == [record(0, 0), long, record(0, 1)])
  }
}
