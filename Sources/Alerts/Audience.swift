import Cryptography
import Foundation
import Settings

/// What one channel lets through, and what of it is a change to what it was told.
struct Audience {
  let entry: AlertEntry

  /// Stable across runs, and not the address: that one may be a credential.
  var name: String {
    switch entry.channel {
    case .slack(let url): Self.name("slack", url.revealed)
    case .webhook(let url, _): Self.name("webhook", url.revealed)
    // Several integrations of a service share one address: the key tells them apart.
    case .service(let url, let secret, _): Self.name("webhook", "\(url.revealed) \(secret?.revealed ?? "")")
    case .email(let url, _, _, _, let to): Self.name("email", "\(url) \(to.sorted().joined(separator: " "))")
    }
  }

  private static func name(_ kind: String, _ place: String) -> String {
    "\(kind)-\(digest("\(kind) \(place)").prefix(16))"
  }

  static func digest(_ text: String) -> String {
    SHA256.hash(text.utf8).hexadecimal
  }

  /// Whether it wants to hear of that one.
  func hears(_ finding: Finding) -> Bool {
    finding.severity != .ignore && finding.severity.weight >= entry.minimumSeverity.weight
      && Self.passes(entry.providers, finding.provider)
      && Self.passes(entry.types, finding.type) && Self.passes(entry.connectedAccounts, finding.connectedAccount)
      && Self.passes(entry.owners, finding.owner)
  }

  /// How much needs somebody, as far as this channel listens: open discrepancies, and a run that is not whole.
  func open(_ news: News) -> Int {
    let isWhole = news.outcome == .clean || news.outcome == .discrepancies
    return news.findings.count { $0.isOpen && hears($0) } + (isWhole ? 0 : 1)
  }

  private static func passes(_ wanted: [String], _ word: String) -> Bool { wanted.isEmpty || wanted.contains(word) }

  /// What is new, worse or resolved since it was last told, worst first; the verdict comes first of all.
  func changes(_ news: News, told: Told) -> [Change] {
    var changes: [Change] = []
    for finding in news.findings where hears(finding) {
      if let kind = kind(of: finding, told.facts[finding.id], news) { changes.append(Change(kind, finding)) }
    }
    changes += vanished(news, told)
    return verdict(news, told) + changes.sorted(by: Change.isBefore)
  }

  private func kind(of finding: Finding, _ fact: Told.Fact?, _ news: News) -> Change.Kind? {
    guard let fact else { return finding.isOpen ? .new : nil }
    // A rerun of an older range knows less than what was told of a newer one.
    guard news.rangeEnd >= fact.rangeEnd else { return nil }
    let wasOpen = fact.change.kind != .resolved
    if finding.state == "resolved" { return wasOpen ? .resolved : nil }
    guard finding.isOpen else { return nil }
    guard wasOpen else { return .new }
    let (before, after) = (fact.change.differenceMinor, finding.differenceMinor)
    if finding.severity.weight > (Severity(rawValue: fact.change.severity)?.weight ?? 0) { return .worse }
    if (after?.magnitude ?? 0) > (before?.magnitude ?? 0) { return .worse }
    // A decision was made on another amount: it is open again.
    return before != after && !finding.decision.isEmpty ? .new : nil
  }

  /// What was told as open and is in no row of a range that reaches as far: found and gone again. An incomplete run
  /// knows no such thing.
  private func vanished(_ news: News, _ told: Told) -> [Change] {
    guard news.outcome == .clean || news.outcome == .discrepancies else { return [] }
    let seen = Set(news.findings.map(\.id))
    return told.facts.values.compactMap { fact in
      guard [.new, .worse].contains(fact.change.kind), news.rangeEnd >= fact.rangeEnd, !seen.contains(fact.change.id)
      else { return nil }
      guard Self.passes(entry.providers, fact.change.provider), Self.passes(entry.types, fact.change.type) else {
        return nil
      }
      guard Self.passes(entry.connectedAccounts, fact.change.connectedAccount) else { return nil }
      var change = fact.change
      change.kind = .resolved
      return change
    }
  }

  /// An incomplete run, or one without reports, is told whatever the filters say; once for a range, and again when it
  /// is whole: both stand in the log under the range.
  private func verdict(_ news: News, _ told: Told) -> [Change] {
    let word: String
    switch news.outcome {
    case .clean, .discrepancies: word = "complete"
    case .incomplete: word = "incomplete"
    case .nothingPublished(let status): word = "not published \(status)"
    }
    let before = told.facts["run \(news.range)"]?.change.verdict ?? "complete"
    return word == before ? [] : [Change(verdict: word, range: news.range)]
  }
}
