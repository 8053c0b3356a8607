import Foundation
import Marketplace
import OrderSources
import Payments
import Providers
import Reconciliation
import Reports
import Settings
import Storage
import TestSupport
import Testing

/// Runs a story's nights against a loopback endpoint: real HTTP, a real landing zone, a store of the engine, published
/// reports.
struct StoryRunner {
  let story: Story
  let engine: TestStore
  let folder: String
  let storeURL: String

  /// What the endpoint takes for a key: found nowhere afterwards.
  static let key = "rk_test_crossfoot_story_key"

  /// Whether every night's range is run again at the end, in both ways.
  var comparesOld = false

  /// What a run of all nights left behind.
  struct Outcome {
    /// The published folder of each night, in order; empty for a night that was refused.
    var published: [String] = []
    /// The last night once more, without a pull.
    var again = ""
    /// The range of each night once more at the end: from what is alive in it, and from everything.
    var old: [(alive: String, whole: String)] = []
    /// The journals of each night that was published, as `<night>.beancount` and so on.
    var journals: [String: Data] = [:]
  }

  func run() async throws -> Outcome {
    let endpoint = StripeEndpoint(key: Self.key)
    try await endpoint.start()
    defer { Task { await endpoint.stop() } }
    for (index, night) in story.nights.enumerated() { try fill(endpoint, night, index + 1) }
    var places = StoryPlaces(folder: folder, stripeKey: endpoint.key, stripeURL: try await endpoint.baseURL)
    let servers = StoryPlaces.labels(in: story.configuration ?? "").map { StoryServer(label: $0, folder: folder) }
    var listening: [LoopbackServer] = []
    for server in servers {
      listening.append(try await server.start())
      places.servers[server.label] = listening[listening.count - 1].baseURL
    }
    let outcome = try await run(endpoint, servers, places)
    for server in listening { await server.stop() }
    return outcome
  }

  private func run(_ endpoint: StripeEndpoint, _ servers: [StoryServer], _ places: StoryPlaces) async throws -> Outcome
  {
    var outcome = Outcome()
    var answers: [StoryAnswer] = []
    var before: StoryJournals?
    for (index, night) in story.nights.enumerated() {
      endpoint.night = index + 1
      endpoint.faults = night.faults
      answers = night.answers ?? answers
      for server in servers { server.begin(answers + story.answers) }
      try writeOrders(night)
      try write(night.files, places)
      outcome.published.append(try await self.night(night, places, servers, pulls: true))
      compare(night.requests, servers.flatMap(\.asked), night.days)
      if let place = outcome.published.last, !place.isEmpty {
        let settings = try load(places)
        let (range, calendar) = try days(of: night, settings)
        let run = try makeNight(settings, calendar, range, night.moment)
        let journals = StoryJournals(folder: folder, night: index + 1, run: run)
        outcome.journals.merge(try journals.export()) { $1 }
        if engine == .sqlite { try journals.examine(against: place, after: before) }
        before = journals
      }
    }
    if let last = story.nights.last { outcome.again = try await night(last, places, servers, pulls: false) }
    for old in comparesOld ? story.nights : [] {
      let alive = try await night(old, places, servers, pulls: false, keepsResults: false)
      let whole = try await night(old, places, servers, pulls: false, derivesWhole: true, keepsResults: false)
      outcome.old.append((alive, whole))
    }
    return outcome
  }

  /// What was asked as often as the story says: paths with all of their queries, or with the parts that it names.
  private func compare(_ expected: [String: Int], _ asked: [String], _ days: String) {
    for (name, count) in expected.sorted(by: { $0.key < $1.key }) {
      let parts = name.components(separatedBy: "?")
      let found = asked.filter { line in
        let words = line.components(separatedBy: "?")
        let place = words[0]
        guard place == parts[0] || place.hasSuffix(" \(parts[0])") else { return false }
        return parts.count == 1
          || words.dropFirst().joined(separator: "?").contains(parts.dropFirst().joined(separator: "?"))
      }
      let fits = count < 0 ? !found.isEmpty : found.count == count
      #expect(fits, "\(days): \(name) was asked for \(found.count) times of \(asked)")
    }
  }

  private func fill(_ endpoint: StripeEndpoint, _ night: Story.Night, _ number: Int) throws {
    for object in night.objects { try endpoint.add(object, visibleFrom: number) }
    for (payout, rows) in night.payoutRows { endpoint.assign(rows: rows, to: payout) }
    for (currency, amount) in night.misstated { endpoint.misstate(currency, by: amount, from: number) }
  }

  private func night(
    _ night: Story.Night, _ places: StoryPlaces, _ servers: [StoryServer], pulls: Bool, derivesWhole: Bool = false,
    keepsResults: Bool = true
  ) async throws -> String {
    let settings = try load(places)
    let (range, calendar) = try days(of: night, settings)
    var run = try makeNight(settings, calendar, range, night.moment)
    (run.pulls, run.derivesWhole, run.keepsResults) = (pulls, derivesWhole, keepsResults)
    run.writesStatements = night.tables.keys.contains { $0.hasPrefix("statements") }
    let report: RunReport
    do { report = try await run.run() } catch {
      guard let refused = night.refused else { throw error }
      #expect("\(error)".contains(refused))
      return ""
    }
    if pulls, let refused = night.refused { Issue.record("\(night.days): published, although refused: \(refused)") }
    if pulls, let verdict = night.verdict {
      let unanswered = servers.flatMap(\.unanswered)
      #expect(report.verdict.rawValue == verdict, "\(report.summary.reasons); without an answer: \(unanswered)")
    }
    return try keep(try #require(report.summary.location))
  }

  /// A copy of what was published: a later publication of the range removes it.
  private func keep(_ location: String) throws -> String {
    let copy = "\(folder)/kept/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: "\(folder)/kept", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: URL(fileURLWithPath: location).resolvingSymlinksInPath().path, toPath: copy)
    return copy
  }

  private func days(of night: Story.Night, _ settings: Settings) throws -> (ReportRange, BusinessCalendar) {
    let days = night.days.components(separatedBy: "..").compactMap { BusinessDay($0) }
    let calendar = BusinessCalendar(timeZone: try #require(TimeZone(identifier: settings.reporting.timeZone)))
    return (ReportRange(from: try #require(days.first), to: try #require(days.last), in: calendar), calendar)
  }

  /// An hour after the range's end unless the story says otherwise: nothing in a story depends on the wall clock.
  func makeNight(_ settings: Settings, _ calendar: BusinessCalendar, _ range: ReportRange, _ moment: Story.Moment)
    throws -> ReconciliationRun
  {
    let now: Int64
    switch moment {
    case .afterEnd(let seconds): now = range.endsAt + seconds
    case .at(let instant): now = instant
    }
    return ReconciliationRun(
      settings: settings, calendar: calendar, providers: try settings.providers.map(ProviderList.make),
      orderSources: try OrderSourceList.make(settings.orders), resources: ResourceFolders(root: TestStore.repository),
      range: range, now: now, version: "test")
  }

  func load(_ places: StoryPlaces) throws -> Settings {
    let file = "\(folder)/crossfoot.yml"
    let text = try StoryConfiguration(story: story, storeURL: storeURL).text(places)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try Settings.load(file, providerKinds: ProviderList.kinds)
  }

  private func write(_ files: [(path: String, text: String?)], _ places: StoryPlaces) throws {
    for (path, text) in files {
      let file = "\(folder)/\(path)"
      let parent = (file as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      if let text {
        try places.filled(text).write(toFile: file, atomically: true, encoding: .utf8)
      } else {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  private func writeOrders(_ night: Story.Night) throws {
    let columns =
      "order_id placed_at status currency total provider tender seller_account application_fee payment_references"
    if let orders = night.orders { try write(orders, columns, night.extraOrderLines, to: "orders.csv") }
    let refundColumns = "refund_id order_id refunded_at currency amount payment_reference"
    if let refunds = night.refunds { try write(refunds, refundColumns, [], to: "order_refunds.csv") }
    for (name, columns) in [("orders.csv", columns), ("order_refunds.csv", refundColumns)]
    where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      try write([], columns, [], to: name)
    }
  }

  private func write(_ rows: [[String: String]], _ columns: String, _ extra: [String], to name: String) throws {
    let columns = columns.split(separator: " ").map(String.init)
    for row in rows {
      if let odd = row.keys.first(where: { !columns.contains($0) }) { throw StoryError("\(name) has no column \(odd)") }
    }
    let lines =
      [columns.joined(separator: ",")] + rows.map { row in columns.map { row[$0] ?? "" }.joined(separator: ",") }
      + extra
    try (lines.joined(separator: "\n") + "\n").write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }
}

/// Runs the body with a folder and the URL of an empty store of the engine, and removes both afterwards.
func withStoryStore<R>(
  _ engine: TestStore, isolation: isolated (any Actor)? = #isolation,
  _ body: (_ folder: String, _ url: String) async throws -> R
)
  async throws -> R
{
  let name = "story_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  guard engine == .postgresql else { return try await body(folder, "sqlite:\(folder)/store.db") }
  guard let base = TestStore.postgresqlURL else { try Test.cancel("CROSSFOOT_TEST_POSTGRESQL is not set") }
  let owner = try StoreURL(base).open()
  try owner.execute("create schema \(name)")
  defer { _ = try? owner.execute("drop schema \(name) cascade") }
  return try await body(folder, "\(base)\(base.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)")
}
