import Foundation
import Landing
import TestSupport
import Testing

@Suite struct InterruptionTests {
  static let partial = "stripe/charges/.partial.jsonl.zst"
  static let journal = "stripe/charges/.partial.journal"

  @Test func `a writer that is dropped leaves nothing landed, and the next goes on at its last page`() throws {
    let workplace = try Workplace()
    do {
      let writer = try workplace.landing.open(.charges(), observedAt: night)
      try writer.writePage(0, cursor: "ch_0_2")
      try writer.writePage(1, cursor: "ch_1_2")
      for number in 0..<5000 { try writer.append(line: Array(record(2, number).utf8)) }
    }
    #expect(try workplace.landing.manifests(asOf: nil) == [])

    let writer = try workplace.landing.open(.charges(), observedAt: night + 600)
    #expect(writer.resumeCursor == "ch_1_2" && writer.objects == 6)
    try writer.writePage(2, cursor: nil)
    let manifest = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<3))
    #expect(manifest.observedAt == night + 600 && manifest.startedAt == night && manifest.pages.count == 3)
    #expect(manifest.objects == 9 && manifest.droppedFields == 18)
    #expect(workplace.files().count == 2)
  }

  @Test func `who cannot go on begins anew, and nothing lands twice`() throws {
    let workplace = try Workplace()
    do {
      let writer = try workplace.landing.open(.charges(), observedAt: night)
      try writer.writePage(0, cursor: nil)
    }
    let writer = try workplace.landing.open(.charges(), observedAt: night, goesOn: false)
    #expect(writer.objects == 0)
    try writer.writePage(0, cursor: nil)
    _ = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<1))
  }

  @Test func `pages that name no cursor are asked for again`() throws {
    let workplace = try Workplace()
    do {
      let writer = try workplace.landing.open(.charges(), observedAt: night)
      try writer.writePage(0, cursor: "ch_0_2")
      try writer.writePage(1, cursor: nil)
    }
    #expect(try workplace.landing.open(.charges(), observedAt: night).resumeCursor == "ch_0_2")
  }

  @Test(arguments: [
    (StreamPull.charges(windowFrom: 1_772_323_200), night + 600),
    (.charges(request: "/v1/charges?livemode"), night + 600),
    (.charges(), night + 86_400),
  ])
  func `what was interrupted for another question, or too long ago, is landed as incomplete`(
    _ next: StreamPull, _ moment: Int64
  )
    throws
  {
    let workplace = try Workplace()
    do {
      let writer = try workplace.landing.open(.charges(), observedAt: night)
      try writer.writePage(0, cursor: "ch_0_2")
    }
    let writer = try workplace.landing.open(next, observedAt: moment)
    #expect(writer.resumeCursor == nil && writer.objects == 0)
    try writer.writePage(7, cursor: nil)
    let last = try writer.finish(complete: true)
    let manifests = try workplace.landing.manifests(asOf: nil)
    #expect(manifests.map(\.complete) == [false, true] && manifests.last == last)
    #expect(manifests.first?.pull == .charges() && manifests.first?.reason?.contains("interrupted") == true)
    #expect(try workplace.lines() == records(0..<1) + records(7..<8))
  }

  @Test func `a pull interrupted before its first page leaves nothing`() throws {
    let workplace = try Workplace()
    do { try workplace.landing.open(.charges(), observedAt: night).append(line: Array(record(0, 0).utf8)) }
    let writer = try workplace.landing.open(.charges(windowFrom: 0), observedAt: night)
    #expect(writer.resumeCursor == nil)
    _ = try writer.finish(complete: true)
    #expect(try workplace.landing.manifests(asOf: nil).count == 1)
    #expect(try workplace.lines() == [])
  }

  /// The files of a pull of three pages and a piece, interrupted.
  private func interrupted() throws -> Workplace {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    for page in 0..<3 { try writer.writePage(page, cursor: "ch_\(page)_2") }
    return workplace
  }

  /// Goes on with an interrupted pull as a provider would, and expects every record once and in order.
  private func expectWholeAfterGoingOn(_ workplace: Workplace, _ what: Comment) throws {
    let writer = try workplace.landing.open(.charges(), observedAt: night + 60)
    let next = writer.resumeCursor.flatMap { Int($0.split(separator: "_")[1]) }.map { $0 + 1 } ?? 0
    #expect(writer.objects == next * 3, what)
    for page in next..<4 { try writer.writePage(page, cursor: page < 3 ? "ch_\(page)_2" : nil) }
    _ = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<4), what)
    #expect(workplace.files().count == 2, what)
  }

  @Test func `a data file cut at any byte is gone on with at the last page before the cut`() throws {
    let original = try interrupted()
    let bytes = try original.content(Self.partial)
    for length in 0...bytes.count {
      let workplace = try original.copy()
      try workplace.replace(Self.partial, with: Array(bytes[..<length]))
      try expectWholeAfterGoingOn(workplace, "cut at \(length)")
    }
  }

  @Test func `a journal cut at any byte is gone on with at the last page it still reports`() throws {
    let original = try interrupted()
    let bytes = try original.content(Self.journal)
    for length in stride(from: 0, through: bytes.count, by: 3) {
      let workplace = try original.copy()
      try workplace.replace(Self.journal, with: Array(bytes[..<length]))
      try expectWholeAfterGoingOn(workplace, "cut at \(length)")
    }
  }

  @Test func `random damage to what was interrupted is never taken for a page`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = try interrupted()
    for round in 0..<100 {
      let workplace = try original.copy()
      let file = Bool.random(using: &random) ? Self.partial : Self.journal
      var bytes = try workplace.content(file)
      let place = Int.random(in: bytes.indices, using: &random)
      // A flipped cursor in the journal would be believed, so the journal loses its end from there on.
      if file == Self.partial {
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      } else {
        bytes.removeSubrange(place...)
      }
      bytes += (0..<Int.random(in: 0..<50, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      try workplace.replace(file, with: bytes)
      try expectWholeAfterGoingOn(workplace, "seed \(seed), round \(round)")
    }
  }
}
