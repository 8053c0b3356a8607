import Disk
import Foundation
import Testing

@testable import Landing

/// What becomes of landed files: removed, or with a text erased; the chain says so, and nothing is missing.
@Suite struct AmendmentTests {
  private static let by = Amendment.Signature(at: night + 400 * 86_400, who: "ada", note: "request 7")

  /// Three files of five records: each names the order on its second line, once in a longer word.
  private static func landed() throws -> Workplace {
    let workplace = try Workplace()
    let landing = try workplace.landing.forRun(clockInDoubt: nil)
    for stream in ["charges", "refunds", "balances"] {
      let writer = try landing.open(.charges(stream: stream), observedAt: night)
      for number in 0..<5 {
        let order = number == 1 ? "ORD-7" : "ORD-7-\(number)"
        let line =
          #"{"ORD-7":1,"id":"\#(stream)_\#(number)","metadata":{"order_id":"\#(order)"},"text":"of (\#(order))"}"#
        try writer.append(line: Array(line.utf8))
      }
      _ = try writer.finish(complete: true)
    }
    try Data("{\"note\":\"ORD-7\"}\n".utf8).write(to: URL(fileURLWithPath: workplace.directory + "/decisions.jsonl"))
    return workplace
  }

  private static func erase(_ workplace: Workplace) throws -> ErasedFiles {
    let log = try workplace.content("decisions.jsonl")
    let erasure = try TextErasure("ORD-7")
    let changed = erasure.erased(log)
    return try workplace.landing.erase(
      [erasure], logs: changed == log ? [:] : ["decisions.jsonl": changed], by: by)
  }

  private static func expectWhole(_ workplace: Workplace, _ what: Comment) throws {
    let survey = try workplace.landing.survey()
    #expect(survey.faults.isEmpty, what)
    #expect(survey.manifests.allSatisfy { workplace.landing.fault(in: $0) == nil }, what)
  }

  /// The records of the sources, without what the zone says of itself.
  private static func lines(_ workplace: Workplace) throws -> [String] {
    try workplace.landing.manifests().filter { !$0.isOfLandingZone }.flatMap(workplace.lines(of:))
  }

  @Test func `an erasure changes words of values, and nothing else`() throws {
    let workplace = try Self.landed()
    let before = try Self.lines(workplace)
    let found = try Self.erase(workplace)
    let after = try Self.lines(workplace)
    #expect(found.records == 3 && found.files.count == 4)
    #expect(found.longerWords.contains("ORD-7-0"))
    let standIn = try #require(after[1].firstMatch(of: /erased-[0-9a-f]{16}/)?.0)
    #expect(
      after
        == before.enumerated().map { place, line in
          place % 5 == 1
            ? line.replacing(#":"ORD-7""#, with: #":"\#(standIn)""#).replacing("(ORD-7)", with: "(\(standIn))") : line
        })
    #expect(try String(decoding: workplace.content("decisions.jsonl"), as: UTF8.self) == "{\"note\":\"\(standIn)\"}\n")
    try Self.expectWhole(workplace, "erased")
    // Nothing more is found, and what was restored from a backup since is not as it should be.
    #expect(try Self.erase(workplace).files.isEmpty)
    let other = try Self.landed()
    let file = try #require(try workplace.landing.manifests().first { !$0.isOfLandingZone })
    try workplace.replace(file.path, with: try other.content(file.path))
    #expect(
      try workplace.landing.survey().faults.map(\.file) == [file.path] || workplace.landing.fault(in: file) != nil)
  }

  @Test func `an amendment of other bytes than the file had is a fault`() throws {
    let workplace = try Self.landed()
    let before = try #require(try workplace.landing.manifests().first)
    _ = try Self.erase(workplace)
    try workplace.landing.letGo([before], by: Self.by)
    let faults = try workplace.landing.survey().faults
    #expect(faults.map(\.file) == [before.path] && "\(faults[0].error)".contains("an amendment of SHA-256"))
  }

  @Test func `what was removed is not missing, and contains nothing; a file that vanishes still is`() throws {
    let workplace = try Self.landed()
    let files = try workplace.landing.manifests()
    try workplace.landing.letGo([files[0]], by: Self.by)
    #expect(!workplace.files().contains(files[0].path) && workplace.files().contains(files[0].manifestPath))
    try Self.expectWhole(workplace, "let go")
    let listed = try workplace.landing.manifests()
    #expect(listed.first { $0.path == files[0].path }?.isLetGo == true && listed.count == 4)
    #expect(try Self.lines(workplace).count == 10)
    try FileManager.default.removeItem(atPath: workplace.directory + "/" + files[1].path)
    #expect(try workplace.landing.survey().faults.map(\.file) == [files[1].path])
    // Without the record of it the file is missing, as what nobody removed.
    let record = try #require(listed.last { $0.isOfLandingZone })
    try FileManager.default.removeItem(atPath: workplace.directory + "/" + record.manifestPath)
    let faults = try workplace.landing.survey().faults.map(\.place)
    #expect(faults.contains(record.path) && faults.contains(files[0].path))
  }

  @Test func `a forged amendment removes nothing`() throws {
    let (workplace, other) = (try Self.landed(), try Self.landed())
    let files = try other.landing.manifests()
    try other.landing.letGo([files[0]], by: Self.by)
    let record = try #require(try other.landing.manifests().last)
    let folder = "\(workplace.directory)/\(record.folder)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [record.path, record.manifestPath] { try workplace.replace(path, with: try other.content(path)) }
    // Its predecessor is another one, as the landings of the two zones are.
    try workplace.landing.adopt()
    let isLanded = try workplace.landing.survey().manifests.contains { $0.path == record.path }
    #expect(isLanded || workplace.files().contains(files[0].path))
  }

  @Test func `killed at any call, or given an error, it is before or after, and the same again completes it`()
    throws
  {
    let counting = Disk.Plan(.broken, at: -1)
    let calm = try Self.landed()
    try Disk.$plan.withValue(counting) {
      _ = try Self.erase(calm)
      try calm.landing.letGo([#require(try calm.landing.manifests().first)], by: Self.by)
    }
    #expect(counting.calls > 30, "\(counting.calls)")
    for (index, fault) in Disk.Fault.allCases.enumerated() {
      for place in stride(from: fault == .kill ? 0 : index, to: counting.calls, by: fault == .kill ? 2 : 9) {
        let workplace = try Self.landed()
        let gone = try #require(try workplace.landing.manifests().first)
        try? Disk.$plan.withValue(Disk.Plan(fault, at: place)) {
          _ = try Self.erase(workplace)
          // As it is by then: an amendment begins with what the one before left.
          try workplace.landing.letGo(workplace.landing.manifests().filter { $0.path == gone.path }, by: Self.by)
        }
        let what: Comment = "\(fault) at \(place)"
        try workplace.landing.adopt()
        try Self.expectWhole(workplace, what)
        let erased = try Self.lines(workplace).filter { $0.contains("erased-") }.count
        let isGone = try workplace.landing.manifests().contains(where: \.isLetGo)
        #expect(isGone ? erased == 2 : erased == 0 || erased == 3, what)
        _ = try Self.erase(workplace)
        try workplace.landing.letGo(
          workplace.landing.manifests().filter { $0.path == gone.path && !$0.isLetGo }, by: Self.by)
        try Self.expectWhole(workplace, what)
        #expect(try Self.lines(workplace).filter { $0.contains("erased-") }.count == 2, what)
        #expect(workplace.files().allSatisfy { !$0.contains(".amended-") && !$0.contains(".partial.jsonl") }, what)
        #expect(try String(decoding: workplace.content("decisions.jsonl"), as: UTF8.self).contains("erased-"), what)
      }
    }
  }

  @Test(arguments: ["paid", "EUR", "10.00", "2026-03-01", "123", "1234567", "d_0123456789abcdef", "amount", "a1\nb"])
  func `what is no reference is not erased`(text: String) {
    #expect(throws: ErasureError.self) { try TextErasure(text) }
  }

  @Test func `a stand-in is of the same kind`() throws {
    #expect(try TextErasure("310000000588").standIn.wholeMatch(of: /9\d{17}/) != nil)
    #expect(try TextErasure("0123456789abcdef0123456789abcdef").standIn.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    let erasure = try TextErasure("Größe/1\"")
    for spelling in [#"Größe/1\""#, #"Größe\/1\""#, #"Gr\u00f6\u00dfe/1\""#, #"Gr\u00F6\u00DFe\/1\""#] {
      #expect(
        String(decoding: erasure.erased(Array("{\"a\":\"\(spelling)\"}".utf8)), as: UTF8.self)
          == "{\"a\":\"\(erasure.standIn)\"}", "\(spelling)")
    }
  }
}
