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

/// Every proof of docs/contract.md section 5.7 can fail: one row corrupted between two stages turns it red, and nothing
/// else speaks.
@Suite("Proofs", .onItsOwnThread, .serialized)
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
      let misstated = Corruption(
        "a misstated balance", .reading, "update stated_balance set amount_minor = amount_minor + 100")
      #expect(Books.added(to: sound, in: try await books.publish(misstated)).isEmpty)
      #expect(try books.brokenProofs() == [])
      #expect(try books.proofs() == ["control_total", "fee_lines", "flow_balance", "payouts"])
    }
  }

  @Test("a proof that fails where its discrepancy is ignored is named by the verdict, with what remains")
  func ignoredDiscrepancy() async throws {
    try await withStoryStore(.sqlite) { folder, url in
      let books = try Books(
        folder: folder, storeURL: url, engine: .sqlite, nights: 1,
        ignored: ["missing_payment", "flow_out_of_balance", "unexplained_difference"])
      _ = try await books.pullAndPublish()
      #expect(try books.word("verdict") == "clean")
      let corruption = try #require(Corruption.flows.first { $0.statement.hasSuffix("'txn_2'") })
      _ = try await books.publish(corruption)
      #expect(try books.word("verdict") == "discrepancies")
      // The transfer of 10.00 whose entry is lost.
      #expect(
        try books.reasons() == [
          "the proof flow_balance failed for stripe, acct_platform0001: 10.00 USD remains, and no discrepancy "
            + "explains it"
        ])
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
  /// The stage after which it happens.
  typealias Stage = RunStage
  let description: String
  let stage: Stage
  let statement: String
  /// The cells that matter of the discrepancies that come with it.
  let red: [[String: String]]
  /// The proofs that have lines that do not hold.
  let proofs: [String]

  init(_ description: String, _ stage: Stage, _ statement: String, proofs: [String] = [], red: [[String: String]] = [])
  {
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

  /// - Parameter ignored: types of discrepancies that the configuration ignores.
  init(folder: String, storeURL: String, engine: TestStore, nights: Int, ignored: [String] = []) throws {
    self.folder = folder
    let file = "\(folder)/books.yml"
    let severities = ignored.map { "\($0): ignore" }.joined(separator: ", ")
    let settings = ignored.isEmpty ? "" : "settings: {severity: {\(severities)}}\n"
    let nights = Books.firstNight + (nights > 1 ? Books.secondNight : "")
    let text =
      settings + (ignored.isEmpty ? nights : nights.replacing("verdict: discrepancies", with: "verdict: clean"))
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    runner = StoryRunner(story: try Story(file: file), engine: engine, folder: folder, storeURL: storeURL)
  }

  /// Runs every night over HTTP; the open discrepancies of the last one.
  func pullAndPublish() async throws -> [[String: String]] {
    try Self.open(try #require(try await runner.run().published.last))
  }

  /// Runs the last night from what has landed, with a statement that corrupts a row between two stages; what is open
  /// then.
  func publish(_ corruption: Corruption) async throws -> [[String: String]] {
    try Self.open(try await publishAt(corruption))
  }

  /// The same; where the reports stand.
  func publishAt(_ corruption: Corruption) async throws -> String {
    try await runner.runAgain { stage, database in
      if stage == corruption.stage { try database.execute(corruption.statement) }
    }
  }

  /// The open discrepancies that the second publication has beyond the first.
  static func added(to first: [[String: String]], in second: [[String: String]]) -> [[String: String]] {
    let known = Set(first.compactMap { $0["discrepancy_id"] })
    return second.filter { !known.contains($0["discrepancy_id"] ?? "") }
  }

  private static func open(_ place: String) throws -> [[String: String]] {
    try CSVTable("\(place)/discrepancies.csv").rows.filter { $0["state"] != "resolved" }
  }

  /// The proofs that were made for the newest publication, by name.
  func proofs() throws -> [String] { try proofs { _ in true } }

  /// Those with a line that does not hold.
  func brokenProofs() throws -> [String] { try proofs { $0 > 0 } }

  /// A text of the newest publication's run.json.
  func word(_ key: String) throws -> String? { try run()[key] as? String }

  /// Why the newest publication's verdict is what it is.
  func reasons() throws -> [String] { try #require(try run()["reasons"] as? [String]) }

  private func run() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/output/latest/run.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func proofs(_ isWanted: (Int) -> Bool) throws -> [String] {
    let proofs = try #require(try run()["proofs"] as? [[String: Any]])
    return try proofs.filter { isWanted(try #require($0["broken"] as? Int)) }.map {
      try #require($0["proof"] as? String)
    }.sorted()
  }
}

extension StoryRunner {
  /// Runs the last night once more from what has landed: no one is asked anything.
  func runAgain(_ stageEnded: @escaping @Sendable (RunStage, any Database) throws -> Void) async throws -> String {
    let settings = try load(StoryPlaces(folder: folder))
    let days = try #require(story.nights.last).days.components(separatedBy: "..").compactMap { BusinessDay($0) }
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: settings.reporting.timeZone)))
    let range = ReportRange(from: try #require(days.first), to: try #require(days.last), in: calendar)
    var night = ReconciliationRun(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: ResourceFolders(root: TestStore.repository),
      range: range,
      now: range.endsAt + 7200, version: "test")
    night.pulls = false
    night.stageEnded = stageEnded
    return try #require(try await night.run().summary.location)
  }
}
