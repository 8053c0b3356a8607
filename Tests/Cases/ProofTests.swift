import Foundation
import OrderSources
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import Storage
import TestSupport
import Testing

/// Every proof of contracts.md section 5 can fail: one row corrupted between two stages turns it red, and nothing else speaks.
@Suite("Proofs", .serialized)
struct ProofTests {
  @Test("one corrupted row turns its proof red", arguments: TestStore.all)
  func turnsRed(engine: TestStore) async throws {
    try await withStoryStore(engine) { folder, url in
      let books = try Books(folder: folder, storeURL: url, engine: engine, nights: 2)
      let sound = try await books.pullAndPublish()
      for corruption in Corruption.all {
        try await withStoryStore(engine) { _, url in
          let books = try Books(folder: folder, storeURL: url, engine: engine, nights: 2)
          let corrupted = try await books.publish(corruption)
          expectRows(corruption.red, in: Books.added(to: sound, in: corrupted), "\(corruption)")
          #expect(try books.brokenProofs() == corruption.proofs.sorted(), "\(corruption)")
        }
      }
    }
  }

  @Test("on the first night no balance is compared, however wrong it is", arguments: TestStore.all)
  func firstNight(engine: TestStore) async throws {
    try await withStoryStore(engine) { folder, url in
      let books = try Books(folder: folder, storeURL: url, engine: engine, nights: 1)
      let sound = try await books.pullAndPublish()
      let misstated = Corruption("a misstated balance", .reading, "update stated_balance set amount_minor = amount_minor + 100")
      #expect(Books.added(to: sound, in: try await books.publish(misstated)).isEmpty)
      #expect(try books.brokenProofs() == [])
      #expect(try books.proofs() == ["control_total", "fee_lines", "flow_balance", "payouts"])
    }
  }

  @Test("all five proofs are made, and hold", arguments: TestStore.all)
  func allHold(engine: TestStore) async throws {
    try await withStoryStore(engine) { folder, url in
      let books = try Books(folder: folder, storeURL: url, engine: engine, nights: 2)
      _ = try await books.pullAndPublish()
      #expect(try books.proofs() == ["control_total", "fee_lines", "flow_balance", "payouts", "stated_balance"])
      #expect(try books.brokenProofs() == [])
    }
  }

  @Test(
    "one corrupted row turns the workbook's control cell red, as its proof says",
    .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"))
  func controlCell() async throws {
    try await withStoryStore(.sqlite) { folder, url in
      let books = try Books(folder: folder, storeURL: url, engine: .sqlite, nights: 1)
      _ = try await books.pullAndPublish()
      let corruption = try #require(Corruption.flows.first { $0.statement.hasPrefix("delete from entry") })
      let place = try await books.publishAt(corruption)
      #expect(try books.brokenProofs() == ["flow_balance"])
      let saved = WorkbookFile("\(place)/\(ReportRun.workbookName)")
      let recalculated = try await saved.recalculated(into: folder + "/recalculated")
      for workbook in [saved, recalculated] {
        #expect(try await SummaryLine.all(in: workbook).map(\.control) == ["DOES NOT TIE OUT"])
      }
      #expect(try await saved.compare(with: recalculated).differences.isEmpty)
      #expect(try await saved.rows("Summary").contains { $0.prefix(2) == ["flow_balance", "USD"] })
    }
  }

  /// Each expected row is there once, and there are no others.
  private func expectRows(_ expected: [[String: String]], in found: [[String: String]], _ story: String) {
    var found = found
    for row in expected {
      if let place = found.firstIndex(where: { cells in row.allSatisfy { cells[$0.key] == $0.value } }) {
        found.remove(at: place)
      } else {
        Issue.record("\(story): no row \(row); there are \(found.map { $0.filter { row[$0.key] != nil } })")
      }
    }
    #expect(found.isEmpty, "\(story): rows that nobody expects: \(found.map { $0["explanation"] ?? "" })")
  }
}

/// One row that goes wrong after a stage, and what must be said of it.
struct Corruption: Sendable, CustomStringConvertible {
  /// The stage after which it happens: a statement of its own among those of the stage behind it, or as the last of the stage itself.
  enum Stage: String, Sendable {
    case reading = "flows/000-corruption.sql"
    case assembling = "flows/999-corruption.sql"
    case matching = "matching/999-corruption.sql"
    case checking = "proofs/000-corruption.sql"
  }
  let description: String
  let stage: Stage
  let statement: String
  /// The cells that matter of the discrepancies that come with it.
  let red: [[String: String]]
  /// The proofs that have lines that do not hold.
  let proofs: [String]

  init(_ description: String, _ stage: Stage, _ statement: String, proofs: [String] = [], red: [[String: String]] = []) {
    self.description = description
    self.stage = stage
    self.statement = statement
    self.red = red
    self.proofs = proofs
  }

  static let all = flows + fees + payouts + balances + totals
}

/// A small account whose nights are run, and run again on corrupted rows.
struct Books {
  let runner: StoryRunner
  private let folder: String

  init(folder: String, storeURL: String, engine: TestStore, nights: Int) throws {
    self.folder = folder
    let file = "\(folder)/books.yml"
    let text = Books.firstNight + (nights > 1 ? Books.secondNight : "")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    runner = StoryRunner(story: try Story(file: file), engine: engine, folder: folder, storeURL: storeURL)
  }

  /// Runs every night over HTTP; the open discrepancies of the last one.
  func pullAndPublish() async throws -> [[String: String]] {
    try Self.open(try #require(try await runner.run().published.last))
  }

  /// Runs the last night from what has landed, with a statement that corrupts a row between two stages; what is open then.
  func publish(_ corruption: Corruption) async throws -> [[String: String]] { try Self.open(try await publishAt(corruption)) }

  /// The same; where the reports stand.
  func publishAt(_ corruption: Corruption) async throws -> String {
    let root = "\(folder)/resources-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(TestStore.repository)/sql", toPath: "\(root)/sql")
    try FileManager.default.createSymbolicLink(atPath: "\(root)/reports", withDestinationPath: "\(TestStore.repository)/reports")
    try "\(corruption.statement)\n".write(toFile: "\(root)/sql/\(corruption.stage.rawValue)", atomically: true, encoding: .utf8)
    return try await runner.runAgain(resources: root)
  }

  /// The open discrepancies that the second publication has beyond the first.
  static func added(to first: [[String: String]], in second: [[String: String]]) -> [[String: String]] {
    let known = Set(first.compactMap { $0["discrepancy_id"] })
    return second.filter { !known.contains($0["discrepancy_id"] ?? "") }
  }

  private static func open(_ place: String) throws -> [[String: String]] {
    try CSVTable("\(place)/discrepancies.csv").rows.filter { $0["state"] != "resolved" }
  }

  /// The proofs that were made, by name.
  func proofs() throws -> [String] { try words("select distinct proof from proof_line order by proof") }

  /// Those with a line that does not hold.
  func brokenProofs() throws -> [String] {
    try words("select distinct proof from proof_line where holds = 0 order by proof")
  }

  private func words(_ query: String) throws -> [String] {
    var words: [String] = []
    try runner.openStore().query(query, []) { words.append($0.text(0) ?? "") }
    return words
  }
}

extension StoryRunner {
  /// Runs the last night once more from what has landed, with other resources: nobody is asked anything.
  func runAgain(resources root: String) async throws -> String {
    let settings = try load(StoryPlaces(folder: folder))
    let days = try #require(story.nights.last).days.components(separatedBy: "..").compactMap { BusinessDay($0) }
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: settings.reporting.timeZone)))
    let range = ReportRange(from: try #require(days.first), to: try #require(days.last), in: calendar)
    var night = Night(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: ResourceFolders(root: root), range: range,
      now: range.endsAt + 7200, version: "test")
    night.pulls = false
    return try #require(try await night.run().summary.location)
  }

  /// The store as the last run left it.
  func openStore() throws -> any Database { try openDatabase(url: storeURL, schemas: TestStore.schemas) }
}
