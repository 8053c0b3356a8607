import Foundation
import JSON
import Landing
import Marketplace
import OrderSources
import Payments
import Providers
import Reconciliation
import Settings
import TestSupport
import Testing

/// Records that nobody would send: each is read or refused, none ends the process or the night, and no amount beyond
/// the limits is published.
@Suite("Fuzz", .onItsOwnThread, .serialized)
struct FuzzTests {
  /// How many records are changed; 100,000 by hand: CROSSFOOT_FUZZ_RECORDS=100000.
  static let records = ProcessInfo.processInfo.environment["CROSSFOOT_FUZZ_RECORDS"].flatMap(Int.init) ?? 20_000
  static let seed = ProcessInfo.processInfo.environment["CROSSFOOT_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_261_122

  @Test("changed records of every stream are read or refused")
  func everyReader() async throws {
    print("fuzz: \(Self.records) records, seed \(Self.seed)")
    try await withLandedMarket { site in
      let streams = try site.streams()
      let readers = try site.readers()
      var mutation = Mutation(seed: Self.seed)
      let parser = JSONParser()
      let sink = SilentSink()
      var taken = 0
      for number in 0..<Self.records {
        let stream = streams[number % streams.count]
        let line = mutation.changed(stream.lines[mutation.number(below: stream.lines.count)])
        let origin = Origin(file: 1, line: Int64(number), observedAt: site.now, rangeTo: site.now)
        let isTaken = try? parser.parse(line) { record in
          guard let reader = readers[stream.provider] else { return try read(record, of: stream, origin) }
          try reader.read(record, stream: stream.name, from: origin, into: sink)
          return true
        }
        if isTaken == true { taken += 1 }
      }
      #expect(
        streams.count > 15 && taken > Self.records / 20 && taken < Self.records,
        "\(taken) of \(Self.records) in \(streams.count) streams")
    }
  }

  private func read(_ record: JSONValue, of stream: LandedStream, _ origin: Origin) throws -> Bool {
    guard let name = OrderStream(rawValue: stream.name) else { return false }
    if case .quarantined = try OrderReader(source: stream.provider).read(record, stream: name, from: origin) {
      return false
    }
    return true
  }

  @Test("nights over changed records end with their reports", arguments: 1...2)
  func nights(round: Int) async throws {
    try await withLandedMarket(round == 1 ? .sqlite : .postgresql) { site in
      var mutation = Mutation(seed: Self.seed &+ UInt64(round))
      for stream in try site.streams() {
        let lines = (0..<Self.records / 200).map { _ in
          mutation.changed(stream.lines[mutation.number(below: stream.lines.count)])
        }
        try site.land(lines, as: stream)
      }
      try await site.expectNight("fuzz seed \(Self.seed), round \(round)")
    }
  }

  @Test(
    "every number and date of every stream at its extremes: the night ends, and nothing beyond the limits is published")
  func extremes() async throws {
    try await withLandedMarket { site in
      for stream in try site.streams() {
        // Three records of a stream have all of its fields between them.
        let lines = stream.lines.sorted { $0.count > $1.count }.prefix(3).flatMap(Mutation.extremes(of:))
        try site.land(lines, as: stream)
      }
      try await site.expectNight("extremes")
    }
  }

  @Test("delivered files with changed rows: the night ends", arguments: 1...2)
  func deliveredFiles(round: Int) async throws {
    try await withLandedMarket { site in
      var mutation = Mutation(seed: Self.seed &+ 100 &+ UInt64(round))
      try await site.expectNight("files, seed \(Self.seed), round \(round)", pulls: true) { folder in
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        where ["csv", "jsonl", "json"].contains((path as NSString).pathExtension) && !path.hasPrefix("landing")
          && !path.hasPrefix("output")
        {
          let file = URL(fileURLWithPath: "\(folder)/\(path)")
          let rows = [UInt8](try Data(contentsOf: file)).split(separator: 10, omittingEmptySubsequences: false).map(
            Array.init)
          let header = path.hasSuffix("csv") ? 1 : 0
          let changed = rows.enumerated().map { place, row in
            place < header || row.isEmpty || mutation.number(below: 3) > 0 ? row : mutation.changedCells(row)
          }
          try Data(changed.joined(separator: [10])).write(to: file)
        }
      }
    }
  }

  /// Orders, and a stream of each provider that moves money or captures it.
  private static let streamsOfMoney: Set<String> = [
    "orders", "charges", "balance_transactions", "reporting", "settlement_details", "payments", "settlement",
  ]

  @Test("a thousand rows at the limit add up", arguments: TestStore.all)
  func sums(engine: TestStore) async throws {
    try await withLandedMarket(engine) { site in
      for stream in try site.streams() where Self.streamsOfMoney.contains(stream.name) {
        guard let line = stream.lines.first(where: { !String(decoding: $0, as: UTF8.self).contains("quarantine") })
        else { continue }
        try site.land((1...1_000).map { Mutation.atLimit(line, number: $0) }, as: stream)
      }
      try await site.expectNight("a thousand rows at the limit")
    }
  }
}

extension Mutation {
  /// A cell of a delivered row replaced, or its bytes changed.
  mutating func changedCells(_ row: [UInt8]) -> [UInt8] {
    var cells = row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Array.init)
    let texts = Self.extremes + Self.extremeTexts
    if number(below: 4) == 0 || row.first == UInt8(ascii: "{") { return changed(row) }
    cells[number(below: cells.count)] = Array(texts[number(below: texts.count)].utf8)
    return Array(cells.joined(separator: [UInt8(ascii: ",")]))
  }

  /// The record under an id of its own, each of its amounts 10^15 minor units; dates and numbers of other kinds stay.
  static func atLimit(_ line: [UInt8], number: Int) -> [UInt8] {
    var line = line
    for (kind, range) in JSONTokens(line).values.reversed() {
      let text = String(decoding: line[range], as: UTF8.self)
      let isAmount =
        kind == .number && (1...8).contains(text.count) && text != "0"
        || kind == .string && text.contains(/^"-?\$?\d{1,6}\.\d\d"$/)
      let isID = kind == .string && text.count > 8 && text.contains(/^"[A-Za-z]+[_-]?[A-Za-z0-9]{4,}"$/)
      let value: String
      if isAmount {
        value = kind == .number ? "1000000000000000" : "\"10000000000000.00\""
      } else if isID {
        value = "\(text.dropLast())x\(number)\""
      } else {
        continue
      }
      line.replaceSubrange(range, with: value.utf8)
    }
    return line
  }
}
