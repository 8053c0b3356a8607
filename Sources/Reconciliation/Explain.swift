import Payments
import Storage

/// The whole story of one id, in time order: records with their landed file and line, entries, flow, match, checks.
///
/// It refers to the range that was derived into the database.
package struct Explain {
  let database: any Database
  let sql: String
  let search: ExplainSearch
  /// The names of all providers.
  let configured: [String]

  /// - Parameter providers: restricts the story to these; empty for all.
  package init(database: any Database, resources: ResourceFolders, configured: [String], providers: [String] = []) {
    self.database = database
    self.configured = configured
    sql = resources.sql + "/explain"
    search = ExplainSearch(database: database, sql: sql, providers: providers)
  }

  /// The story of an id, or the answer to give if there is none.
  package func answer(about id: String) throws -> Story.Answer {
    if id.hasPrefix("d_") {
      let story = try story(of: id, try search.subjects(ofDiscrepancy: id).subjects, discrepancy: id)
      if !story.isEmpty { return .story(story) }
    }
    var found = try search.find(id, configured: configured)
    if found.clusters.isEmpty {
      let days = WrittenDay.readings(of: id)
      found.clusters = try days.flatMap { try search.find($0, configured: configured).clusters }
    }
    switch found.clusters.count {
    case 0: return .nothing(near: try near(id), hasRun: true)
    case 1:
      var story = try story(of: id, found.clusters[0].subjects)
      story.others = found.others
      return story.isEmpty ? .nothing(near: try near(id), hasRun: true) : .story(story)
    default:
      let named = found.clusters.flatMap(\.named)
      return .several(try named.enumerated().map { ($1, $0 < Self.described ? try describe($1) : $1.kind.rawValue) })
    }
  }

  /// How many matches of an ambiguous id are described; of further ones only the kind is reported.
  private static let described = 20

  private func story(of id: String, _ subjects: [Story.Subject], discrepancy: String = "-") throws -> Story {
    var story = Story(id: id)
    story.parts = try subjects.map(part).filter { !$0.records.isEmpty || !$0.entries.isEmpty }
    story.matches = try matches(subjects)
    story.discrepancies = try discrepancies(subjects, discrepancy)
    return story
  }

  private func part(_ subject: Story.Subject) throws -> Story.Part {
    Story.Part(
      subject: subject, records: try records(of: subject), entries: try entries(of: subject),
      fundFlows: subject.kind == .payment ? try fundFlows(of: subject) : [])
  }

  private func records(of subject: Story.Subject) throws -> [Story.Line] {
    let (id, provider) = (SQLValue.text(subject.id), SQLValue.text(subject.provider ?? ""))
    return switch subject.kind {
    case .order: try lines("orders", [id])
    case .payment: try lines("records", [.text(subject.flowKey)])
    case .payout: try lines("payouts", [id, provider])
    case .account: try lines("account", [provider, id, "platform"])
    case .connectedAccount: try lines("account", [provider, id, "connected"])
    case .record: try lines("record", [provider, id])
    }
  }

  private func entries(of subject: Story.Subject) throws -> [Story.Line] {
    switch subject.kind {
    case .payment: try lines("entries", [.text(subject.flowKey), "", ""])
    case .payout, .record: try lines("entries", ["", .text(subject.id), .text(subject.provider ?? "")])
    case .order, .account, .connectedAccount: []
    }
  }

  /// Describes a subject in one line.
  private func describe(_ subject: Story.Subject) throws -> String {
    guard subject.kind != .account && subject.kind != .connectedAccount else { return subject.kind.rawValue }
    let records = try records(of: subject)
    return (records.first { $0.kind == subject.kind.rawValue } ?? records.first)?.description ?? subject.kind.rawValue
  }

  /// Dated rows: instant, kind, id, currency, amount, text, place in the landing zone.
  private func lines(_ name: String, _ parameters: [SQLValue]) throws -> [Story.Line] {
    var lines: [Story.Line] = []
    try database.read(try statement(name), parameters) { row in
      let currency = row.text(3)
      lines.append(
        Story.Line(
          at: try row.integer(0).map(Instant.text), kind: row.text(1) ?? "", id: row.text(2) ?? "",
          amount: try row.integer(4).map { try Explain.amount($0, currency ?? "") }, currency: currency,
          detail: row.text(5) ?? "",
          file: row.text(6), line: try row.integer(7)))
    }
    return lines
  }

  private func fundFlows(of subject: Story.Subject) throws -> [Story.FundFlow] {
    var flows: [Story.FundFlow] = []
    try database.read(try statement("flows"), [.text(subject.flowKey)]) { row in
      let currency = row.text(0) ?? ""
      let sums = try (1...6).map { try Explain.amount(try row.integer($0) ?? 0, currency) }
      flows.append(
        Story.FundFlow(
          currency: currency, captured: sums[0], platform: sums[1], connected: sums[2], customer: sums[3],
          provider: sums[4],
          other: sums[5]))
    }
    return flows
  }

  private func matches(_ subjects: [Story.Subject]) throws -> [Story.Match] {
    var matches: [Story.Match] = []
    for subject in subjects where subject.kind == .payment || subject.kind == .order {
      try database.read(try statement("matches"), [.text(subject.flowKey), .text(subject.orderID)]) { row in
        let words = (0...3).map { row.text($0) ?? "" }
        let match = Story.Match(orderID: words[0], paymentID: words[1], matchStatus: words[2], rule: words[3])
        if !matches.contains(match) { matches.append(match) }
      }
    }
    return matches
  }

  private func discrepancies(_ subjects: [Story.Subject], _ discrepancy: String) throws -> [Story.Problem] {
    var problems: [Story.Problem] = []
    let kinds: [Story.Subject.Kind?] = [.payment, .order, nil, .connectedAccount, .account]
    let asked = subjects.map { subject -> [SQLValue] in
      kinds.map { kind in
        let isAsked = kind.map { $0 == subject.kind } ?? (subject.kind == .payout || subject.kind == .record)
        return SQLValue.text(isAsked ? subject.id : "-")
      } + [.text(subject.provider ?? ""), "-"]
    }
    let itself: [SQLValue] = ["-", "-", "-", "-", "-", "", .text(discrepancy)]
    for parameters in asked + [itself] {
      try database.read(try statement("discrepancies"), parameters) { row in
        let words = (0...6).map { row.text($0) ?? "" }
        let problem = Story.Problem(
          discrepancyID: words[0], type: words[1], severity: words[2], state: words[3], firstSeen: words[4],
          explanation: words[5], suggestedAction: words[6])
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
    return problems
  }

  private func near(_ id: String) throws -> [String] {
    guard id.utf8.count >= 3 else { return [] }
    var near: [String] = []
    try database.read(try statement("near"), [.text(id)]) { near.append($0.text(0) ?? "") }
    return near.filter { $0 != id }
  }

  private func statement(_ name: String) throws -> SQLStatement { try SQLStatement(file: "\(sql)/\(name).sql") }

  private static func amount(_ minor: Int64, _ currency: String) throws -> String {
    Money(amountMinor: minor, currency: try Currency(code: currency)).decimalText
  }
}

/// A day as people and files write it: `03/05/2026` may be in March or in May.
enum WrittenDay {
  /// The days that the text can denote, such as `2026-03-05`; empty if it is no day.
  static func readings(of text: String) -> [String] {
    guard let match = text.wholeMatch(of: /(\d{1,2})[\/.-](\d{1,2})[\/.-](\d{4})/), let first = Int(match.1),
      let second = Int(match.2)
    else { return [] }
    let pairs = first == second ? [(first, second)] : [(first, second), (second, first)]
    return pairs.map { "\(match.3)-\(twoDigits($0.0))-\(twoDigits($0.1))" }.filter { BusinessDay($0) != nil }
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

extension ExplainSearch.Cluster {
  /// The subjects to ask for by name: a group's orders, else its payments, else all of it.
  fileprivate var named: [Story.Subject] {
    for kind in [Story.Subject.Kind.order, .payment] {
      let found = subjects.filter { $0.kind == kind }
      if !found.isEmpty { return [found[0]] }
    }
    return subjects.first.map { [$0] } ?? []
  }
}
