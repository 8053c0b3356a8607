import Foundation
import Testing

@testable import Landing

/// The chain of all manifests: what is missing, forged, changed or in another's place is found and named.
@Suite struct ChainTests {
  /// Two nights of three streams.
  private func landed() throws -> Workplace {
    let workplace = try Workplace()
    for day in 0..<2 {
      let landing = try workplace.landing.forRun(clockInDoubt: nil)
      for stream in ["refunds", "charges", "balances"] {
        let writer = try landing.open(.charges(stream: stream), observedAt: night + Int64(day) * 86_400)
        try writer.writePage(day, cursor: nil)
        _ = try writer.finish(complete: true)
      }
    }
    return workplace
  }

  private func manifests(_ workplace: Workplace) throws -> [Manifest] {
    try workplace.landing.manifests().sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
  }

  @Test func `each manifest holds the link of the one before it, and a run is read by names`() throws {
    let workplace = try landed()
    let chain = try manifests(workplace)
    #expect(chain.map(\.sequence) == [1, 2, 3, 4, 5, 6] && chain.map(\.batch) == [1, 1, 1, 4, 4, 4])
    #expect(chain.map(\.previous) == [nil] + chain.dropLast().map(\.link))
    #expect(
      try workplace.landing.manifests().map(\.stream) == [
        "balances", "charges", "refunds", "balances", "charges", "refunds",
      ])
    #expect(try workplace.landing.survey().faults.isEmpty && workplace.landing.survey().newest == chain.last?.link)
  }

  @Test func `every manifest removed, changed by any byte, or swapped is named, and no other is`() throws {
    let workplace = try landed()
    let chain = try manifests(workplace)
    for (index, manifest) in chain.enumerated() {
      let bytes = try workplace.content(manifest.manifestPath)
      try FileManager.default.removeItem(atPath: workplace.directory + "/" + manifest.manifestPath)
      try expect([manifest.path], in: workplace, "\(index) removed")
      for place in stride(from: index % 7, to: bytes.count, by: 7) {
        var altered = bytes
        altered[place] ^= 1
        try workplace.replace(manifest.manifestPath, with: altered)
        try expect([manifest.path], in: workplace, "\(index) changed at \(place)")
      }
      for other in chain[(index + 1)...].prefix(3) {
        try workplace.replace(manifest.manifestPath, with: try workplace.content(other.manifestPath))
        try expect([manifest.path], in: workplace, "\(index) replaced by \(other.path)")
      }
      try workplace.replace(manifest.manifestPath, with: bytes)
    }
    #expect(try workplace.landing.survey().faults.isEmpty)
  }

  private func expect(_ files: [String], in workplace: Workplace, _ what: Comment) throws {
    let survey = try workplace.landing.survey()
    #expect(survey.faults.map(\.file) == files, what)
    #expect(survey.manifests.allSatisfy { !files.contains($0.path) } && survey.manifests.count == 5, what)
  }

  @Test func `a hole of two, and one at the end with its file, are found; a forged manifest is not read`() throws {
    let workplace = try landed()
    let chain = try manifests(workplace)
    func remove(_ manifest: Manifest) throws {
      for path in [manifest.path, manifest.manifestPath] {
        try FileManager.default.removeItem(atPath: workplace.directory + "/" + path)
      }
    }
    for manifest in chain[2...3] { try remove(manifest) }
    #expect(try workplace.landing.survey().faults.map(\.place) == [chain[3].path, "landing chain, number 3"])
    let known = try #require(chain[2].link)
    #expect(try workplace.landing.survey(remembered: [known]).faults.map(\.place) == [chain[3].path, chain[2].path])
    try remove(chain[5])
    #expect(try workplace.landing.survey().faults.first?.place == chain[5].path)
    // What lands after it does not cover it up.
    _ = try workplace.landing.open(.charges(stream: "payouts"), observedAt: night).finish(complete: true)
    #expect(try workplace.landing.survey().faults.map(\.place).contains(chain[5].path))
    var forged = chain[4]
    (forged.file, forged.sequence) = ("20260309T031500Z-001.jsonl.zst", 9)
    try workplace.replace(forged.manifestPath, with: forged.encodeAndHash())
    let survey = try workplace.landing.survey()
    #expect(survey.faults.map(\.place).contains(forged.path) && !survey.manifests.contains { $0.path == forged.path })
  }

  @Test func `a landing zone from before the chain gets its own, and a crash meanwhile does no harm`() throws {
    let workplace = try landed()
    let before = try manifests(workplace)
    for manifest in before {
      var old = manifest
      (old.sequence, old.previous, old.batch) = (nil, nil, nil)
      try workplace.replace(old.manifestPath, with: old.encodeAndHash())
    }
    try FileManager.default.removeItem(atPath: workplace.directory + "/.chain.json")
    let order = try workplace.landing.manifests().map(\.path)
    #expect(try workplace.landing.survey().faults.isEmpty)
    // Half of it is done, and the program is killed.
    try workplace.landing.adopt()
    let half = try workplace.content(before[0].manifestPath)
    try workplace.replace(".chain.json", with: Array(#"{"version":1,"adopting":true}"#.utf8))
    try workplace.landing.adopt()
    #expect(try workplace.content(before[0].manifestPath) == half)
    #expect(
      try workplace.landing.manifests().map(\.path) == order
        && manifests(workplace).map(\.sequence) == [1, 2, 3, 4, 5, 6])
    #expect(try workplace.landing.survey().faults.isEmpty)
  }

  @Test func `a lost end of the chain is found again from the manifests`() throws {
    let workplace = try landed()
    for content in ["", "{}", nil] {
      try FileManager.default.removeItem(atPath: workplace.directory + "/.chain.json")
      if let content { try workplace.replace(".chain.json", with: Array(content.utf8)) }
      #expect(try workplace.landing.survey().faults.isEmpty)
      let next = try workplace.landing.open(.charges(), observedAt: night).finish(complete: true)
      #expect(try next.previous == manifests(workplace).dropLast().last?.link)
      #expect(try workplace.landing.survey().faults.isEmpty)
    }
  }
}
