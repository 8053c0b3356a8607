import Foundation
import Landing
import Testing

@Suite struct DamageTests {
  /// A landing zone with one file of a few pages.
  private func landed() throws -> (Workplace, Manifest) {
    let workplace = try Workplace()
    let writer = try workplace.landing.open(.charges(), observedAt: night)
    for page in 0..<3 { try writer.writePage(page, cursor: "c") }
    return (workplace, try writer.finish(complete: true))
  }

  /// Reads and expects a refusal before the first line.
  private func expectDamaged(_ workplace: Workplace, _ manifest: Manifest, _ what: Comment) -> LandingError? {
    #expect(throws: LandingError.self, what) {
      try workplace.landing.read(manifest) { _, _ in Issue.record("a line of a damaged file was given: \(what)") }
    }
  }

  @Test func `a file with any byte altered is refused, by name, before its first line`() throws {
    let (workplace, manifest) = try landed()
    let bytes = try workplace.content(manifest.path)
    for place in bytes.indices {
      var altered = bytes
      altered[place] ^= 0x10
      try workplace.replace(manifest.path, with: altered)
      let error = expectDamaged(workplace, manifest, "byte \(place)")
      #expect(error?.description.hasPrefix("stripe/charges/20260301T031500Z-001.jsonl.zst: found SHA-256 ") == true)
      #expect(error?.description.contains("pull its window again") == true)
    }
    try workplace.replace(manifest.path, with: bytes)
    #expect(try workplace.lines() == records(0..<3))
  }

  @Test func `a file cut anywhere, grown, or gone is refused`() throws {
    let (workplace, manifest) = try landed()
    let bytes = try workplace.content(manifest.path)
    for length in bytes.indices {
      try workplace.replace(manifest.path, with: Array(bytes[..<length]))
      let error = expectDamaged(workplace, manifest, "cut at \(length)")
      let damage = LandingError.damaged(file: manifest.path, found: "\(length) bytes", expected: "\(bytes.count) bytes")
      #expect(error == damage)
    }
    try workplace.replace(manifest.path, with: bytes + [0])
    _ = expectDamaged(workplace, manifest, "grown")
    try FileManager.default.removeItem(atPath: workplace.directory + "/" + manifest.path)
    #expect(expectDamaged(workplace, manifest, "gone")?.description.contains("no file that can be read") == true)
  }

  @Test func `a manifest that counts otherwise than the file is noticed`() throws {
    let (workplace, manifest) = try landed()
    var other = manifest
    other.objects = 8
    let damage = LandingError.damaged(file: manifest.path, found: "9 records", expected: "8")
    #expect(throws: damage) { try workplace.landing.read(other) { _, _ in } }
  }

  @Test func `a manifest that cannot be read is named, and the others are listed`() throws {
    let (workplace, manifest) = try landed()
    let second = try workplace.landing.open(.charges(stream: "refunds"), observedAt: night).finish(complete: true)
    let path = String(manifest.path.dropLast(10)) + ".manifest.json"
    let bytes = try workplace.content(path)
    for broken in [
      Array(bytes.dropLast(5)), [], Array("[]".utf8),
      try workplace.content("stripe/refunds/20260301T031500Z-001.manifest.json"),
    ] {
      try workplace.replace(path, with: broken)
      let listing = try workplace.landing.listing()
      #expect(listing.manifests == [second] && listing.unreadable.count == 1)
      #expect(listing.unreadable.first?.description.hasPrefix(path + ": found ") == true)
      #expect(throws: LandingError.self) { try workplace.landing.manifests(asOf: nil) }
    }
  }

  @Test func `what the reader of the lines throws comes through`() throws {
    let (workplace, manifest) = try landed()
    #expect(throws: CancellationError.self) {
      try workplace.landing.read(manifest) { _, _ in throw CancellationError() }
    }
  }
}
