import Foundation
import Testing

@testable import Landing

/// A publication is four changes of the folder; between any two of them the power may fail.
@Suite struct PublicationTests {
  static let folder = "stripe/charges/"
  static let file = folder + "20260301T031500Z-001.jsonl.zst"
  static let manifest = folder + "20260301T031500Z-001.manifest.json"

  /// The folder after `finish`, with the journal as it was just before it went.
  private func published() throws -> (workplace: Workplace, journal: [UInt8]) {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    for page in 0..<3 { try writer.writePage(page, cursor: page < 2 ? "ch_\(page)_2" : nil) }
    let journal = try workplace.content(InterruptionTests.journal)
    _ = try writer.finish(complete: true)
    return (workplace, journal + Array("{\"publishing\":\"20260301T031500Z-001\"}\n".utf8))
  }

  private func move(_ workplace: Workplace, _ name: String, to other: String) throws {
    try FileManager.default.moveItem(
      atPath: workplace.directory + "/" + name, toPath: workplace.directory + "/" + other)
  }

  @Test func `interrupted before the file has its name, the pull goes on`() throws {
    let (workplace, journal) = try published()
    try move(workplace, Self.file, to: InterruptionTests.partial)
    try move(workplace, Self.manifest, to: Self.folder + ".partial.manifest.json")
    try workplace.replace(InterruptionTests.journal, with: journal)
    try expectGoingOn(workplace)
  }

  @Test func `interrupted before the manifest has its name, nothing is landed and the pull goes on`() throws {
    let (workplace, journal) = try published()
    try move(workplace, Self.manifest, to: Self.folder + ".partial.manifest.json")
    try workplace.replace(InterruptionTests.journal, with: journal)
    try expectGoingOn(workplace)
  }

  private func expectGoingOn(_ workplace: Workplace) throws {
    #expect(try workplace.landing.manifests(asOf: nil) == [])
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    #expect(writer.resumeCursor == "ch_1_2" && writer.objects == 9)
    _ = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<3))
    #expect(workplace.files() == [Self.file, Self.manifest])
  }

  @Test func `interrupted before the journal is gone, the file is landed and the next pull is a fresh one`() throws {
    let (workplace, journal) = try published()
    try workplace.replace(InterruptionTests.journal, with: journal)
    #expect(try workplace.lines() == records(0..<3))
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    #expect(writer.resumeCursor == nil && writer.objects == 0)
    try writer.writePage(5, cursor: nil)
    _ = try writer.finish(complete: true)
    #expect(try workplace.lines() == records(0..<3) + records(5..<6))
    #expect(workplace.files().count == 4)
  }

  @Test func `a pull whose folder cannot be made is an error that names it`() throws {
    let workplace = try Workplace()
    try workplace.replace("stripe", with: [])
    let error = #expect(throws: LandingError.self) { _ = try workplace.landing.open(.charges(), observedAt: night) }
    #expect(error?.description.hasPrefix(workplace.directory + "/stripe/charges: cannot create the folder") == true)
  }

  @Test func `a full disk is called one, with what to do`() throws {
    let file = try AppendedFile(path: "/dev/full", cutTo: 0)
    let error = #expect(throws: LandingError.diskFull(file: "/dev/full")) { try file.append([1, 2, 3]) }
    #expect(
      error?.description.contains("no space left") == true
        && error?.description.contains("free some and run the same command") == true)
  }
}
