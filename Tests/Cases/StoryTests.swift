import Foundation
import Reports
import TestSupport
import Testing

@Suite("Stories", .onItsOwnThread)
struct StoryTests {
  @Test("from HTTP to CSV, the same bytes on both stores and when run again", arguments: Story.all)
  func story(_ story: Story) async throws { try await Self.turns.take { try await run(story) } }

  private static let turns = Turns(8)

  private func run(_ story: Story) async throws {
    var bytes: [[String: Data]] = []
    for engine in TestStore.all where engine == .sqlite || TestStore.postgresqlURL != nil {
      bytes += try await withStoryStore(engine) { folder, url in
        let runner = StoryRunner(story: story, engine: engine, folder: folder, storeURL: url)
        let outcome = try await runner.run()
        for (night, folder) in zip(story.nights, outcome.published) where !folder.isEmpty {
          try compare(night, folder)
          try examineProofs(night, folder)
        }
        if let last = outcome.published.last, !last.isEmpty {
          let (again, first) = (try Self.files(outcome.again), try Self.files(last))
          let differing = Set(again.keys).union(first.keys).filter { again[$0] != first[$0] }.sorted()
          for name in differing { DifferingFile.keep(name, first[name], again[name]) }
          #expect(differing.isEmpty, "the last night, run again without a pull on \(engine.rawValue), differs")
        }
        try StoryPrivacy(story: story, folder: folder).check()
        return try outcome.published.map { $0.isEmpty ? [:] : try Self.files($0).withoutWorkbook } + [outcome.journals]
      }
    }
    let count = story.nights.count + 1
    if bytes.count == 2 * count { #expect(Array(bytes[..<count]) == Array(bytes[count...]), "the stores differ") }
  }

  /// Every file but run.json, those of statements too, by its path in the folder.
  static func files(_ folder: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0 != Publication.runFile }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
  }

  /// Every row of an expected table has its actual row, and there is none beside.
  private func compare(_ night: Story.Night, _ folder: String) throws {
    for (table, expected) in night.tables.sorted(by: { $0.key < $1.key }) {
      var actual = try CSVTable("\(folder)/\(table).csv").rows
      for row in expected {
        let place = actual.firstIndex { found in row.allSatisfy { found[$0.key] == $0.value } }
        if let place {
          actual.remove(at: place)
        } else {
          Issue.record("\(night.days) \(table): no row \(row); there are \(brief(actual, like: row))")
        }
      }
      #expect(actual.isEmpty, "\(night.days) \(table): rows that nobody expects: \(actual)")
    }
    for (table, count) in night.counts {
      #expect(try CSVTable("\(folder)/\(table).csv").rows.count == count, "\(night.days) \(table)")
    }
    for (name, sum) in night.sums { try compare(sum, of: name, night, folder) }
  }

  /// What a column adds up to, in exact decimals.
  private func compare(_ sum: String, of name: String, _ night: Story.Night, _ folder: String) throws {
    let words = name.split(whereSeparator: { " .=".contains($0) }).map(String.init)
    let rows = try CSVTable("\(folder)/\(words[0]).csv").rows.filter {
      words.count < 4 || $0[words[2]] == words[3...].joined(separator: " ")
    }
    let cells = try rows.map { try #require($0[words[1]], "\(words[0]) has no column \(words[1])") }
    let found = cells.reduce(Decimal(0)) { $0 + (Decimal(string: $1) ?? 0) }
    #expect(found == Decimal(string: sum), "\(night.days) \(name)")
  }

  /// A proof that does not hold is never silent: a discrepancy refers to it.
  private func examineProofs(_ night: Story.Night, _ folder: String) throws {
    let speaks = [
      "control_total": ["unexplained_difference"], "fee_lines": ["fee_sum_mismatch"],
      "flow_balance": ["flow_out_of_balance"],
      "payouts": ["payout_mismatch", "batch_out_of_balance"], "stated_balance": ["balance_mismatch"],
    ]
    let run = try JSONSerialization.jsonObject(
      with: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(Publication.runFile)")))
    let proofs = try #require((run as? [String: Any])?["proofs"] as? [[String: Any]])
    let told = Set(
      try CSVTable("\(folder)/discrepancies.csv").rows.filter { $0["state"] != "resolved" }.compactMap { $0["type"] })
    for proof in proofs where proof["broken"] as? Int != 0 {
      let name = try #require(proof["proof"] as? String)
      #expect(
        !told.isDisjoint(with: speaks[name] ?? []),
        "\(night.days): the proof \(name) does not hold, and no discrepancy says so: \(proof)")
    }
  }

  private func brief(_ rows: [[String: String]], like row: [String: String]) -> [[String: String]] {
    rows.map { $0.filter { row[$0.key] != nil } }
  }
}

extension [String: Data] {
  /// What nights that were pulled apart have in common: the workbook names the landed files, with their hashes.
  var withoutWorkbook: [String: Data] { filter { $0.key != "reconciliation.xlsx" } }
}
