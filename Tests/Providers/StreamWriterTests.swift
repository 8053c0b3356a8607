import Foundation
import HTTP
import Landing
import Testing

@testable import Providers

@Suite("One stream of an API in the landing zone") struct StreamWriterTests {
  private struct Record: PulledRecord {
    var key: String
    var text: String
    let dropped = 1

    func landedLine() -> [UInt8] { .line(("id", key), ("text", text)) }
  }

  private let order = PullOrder(rangeFrom: 1000, rangeTo: 2000, now: 5000)

  /// A writer whose file is open in a landing zone of its own, and what reads that zone.
  private func with<R>(landsChanges: Bool = false, _ body: (StreamWriter, Landing) throws -> R) throws -> R {
    try withLanding { landing in try body(open(in: landing, landsChanges: landsChanges), landing) }
  }

  private func withLanding<R>(_ body: (Landing) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("writer-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(Landing(directory: folder))
  }

  private func open(in landing: Landing, landsChanges: Bool = false) -> StreamWriter {
    let writer = StreamWriter("charges", "shop charges", landsChanges: landsChanges, order)
    writer.open(Self.pull, in: landing, observedAt: order.now)
    return writer
  }

  private static let pull = StreamPull(
    provider: "shop", stream: "charges", request: "GET /charges", windowFrom: 1000, windowTo: 5000, coversFrom: 1000,
    watermark: 2000, rangeFrom: 1000, rangeTo: 2000)

  private func lines(_ landing: Landing) throws -> [String] {
    var lines: [String] = []
    for manifest in try landing.manifests() {
      try landing.read(manifest) { bytes, _ in lines.append(String(decoding: bytes, as: UTF8.self)) }
    }
    return lines
  }

  @Test("a record lands once, and once more after it was forgotten; one without a key lands each time") func once()
    throws
  {
    try with { writer, landing in
      let landed = try writer.land([Record(key: "a", text: "1"), Record(key: "a", text: "2")])
      #expect(landed.map(\.text) == ["1"] && writer.has("a") && !writer.has("b"))
      writer.forget("a")
      try writer.land([Record(key: "a", text: "3"), Record(key: "", text: "4"), Record(key: "", text: "4")])
      writer.remember(["b"])
      #expect(try writer.land([Record(key: "b", text: "5")]).isEmpty)
      #expect(writer.finish().isComplete)
      let texts = try lines(landing).map { $0.split(separator: "\"").dropLast().last.map(String.init) }
      #expect(texts == ["1", "3", "4", "4"])
      #expect(try landing.manifests().map(\.droppedFields) == [4])
    }
  }

  @Test("where changes land, a record comes again in other words only, and also in those it had before") func changes()
    throws
  {
    try with(landsChanges: true) { writer, _ in
      let texts = ["1", "1", "2", "2", "1"]
      let landed = try texts.flatMap { try writer.land([Record(key: "a", text: $0)]) }
      #expect(landed.map(\.text) == ["1", "2", "1"])
      #expect(writer.finish().objects == 3)
    }
  }

  @Test("the first fault is the reason, unless the credentials are refused; what had landed is published")
  func faults() throws {
    try with { writer, landing in
      try writer.land([Record(key: "a", text: "1")])
      try writer.endPage(cursor: "a", requestID: "req_1")
      for (kind, sentence) in [
        (ProviderFailure.Kind.other, "first"), (.forbidden, "second"), (.credentials, "refused"), (.other, "last"),
      ] { writer.fail(ProviderFailure(kind: kind, sentence: sentence)) }
      let outcome = writer.finish(knownUntil: 1500)
      #expect(!outcome.isComplete && outcome.reason == "refused" && outcome.objects == 1)
      let manifest = try #require(try landing.manifests().first)
      #expect(!manifest.complete && manifest.knownUntil == 1500 && manifest.pages.map(\.requestID) == ["req_1"])
    }
  }

  @Test("a cancelled pull is left as it is, and the next one goes on behind its last page") func cancelled() throws {
    try withLanding { landing in
      try cancel(open(in: landing))
      #expect(try landing.manifests().isEmpty)
      let next = open(in: landing)
      #expect(next.resumeCursor == "a" && next.objects == 1)
      #expect(next.finish().isComplete)
      #expect(try lines(landing) == [#"{"id":"a","text":"1"}"#])
    }
  }

  private func cancel(_ writer: StreamWriter) throws {
    try writer.land([Record(key: "a", text: "1")])
    try writer.endPage(cursor: "a", requestID: nil)
    writer.fail(ProviderFailure(CancellationError(), asking: "shop charges"))
    #expect(writer.finish().reason == "shop charges: the pull was cancelled; run it again")
  }

  @Test("a stream whose folder cannot be made is at fault from its beginning, and takes nothing") func closed() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("no folder".utf8).write(to: URL(fileURLWithPath: file))
    let writer = StreamWriter("charges", "shop charges", order)
    writer.open(Self.pull, in: Landing(directory: file), observedAt: order.now)
    let fault = try #require(writer.fault)
    #expect(fault.kind == .other && fault.sentence.hasPrefix("shop charges: "))
    #expect(throws: ProviderFailure.self) { try writer.land([Record(key: "a", text: "1")]) }
    #expect(writer.finish().reason == fault.sentence)
  }

  @Test("nobody could be asked when every stream says so; refused credentials say it alone") func outcome() {
    let unreachable = ProviderFailure(kind: .unreachable, sentence: "")
    let refused = ProviderFailure(kind: .credentials, sentence: "")
    #expect(PullOutcome([], faults: [unreachable, unreachable]).refusal == .unreachable)
    #expect(PullOutcome([], faults: [unreachable, nil]).refusal == nil)
    #expect(PullOutcome([], faults: [unreachable, nil, refused]).refusal == .credentials)
  }
}
