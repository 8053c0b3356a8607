import Cryptography
import Foundation
import Settings

/// The alerts that one channel accepts, and which of them differ from its delivery history.
struct AlertFilter {
  let entry: AlertEntry

  /// Stable across runs, and not the address, which may be a credential.
  var name: String {
    switch entry.channel {
    case .slack(let url): Self.name("slack", url.revealed)
    case .webhook(let url, _): Self.name("webhook", url.revealed)
    // Several integrations of a service share one address: the key distinguishes them.
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

  /// Whether the filter accepts a discrepancy.
  func passes(_ discrepancy: Discrepancy) -> Bool {
    discrepancy.severity != .ignore && discrepancy.severity.weight >= entry.minimumSeverity.weight
      && Self.passes(entry.providers, discrepancy.provider)
      && Self.passes(entry.types, discrepancy.type)
      && Self.passes(entry.connectedAccounts, discrepancy.connectedAccount)
      && Self.passes(entry.owners, discrepancy.owner)
  }

  /// How many open items this channel has: open discrepancies, and an incomplete run.
  func open(_ run: RunOutcome) -> Int {
    let isWhole = run.outcome == .clean || run.outcome == .discrepancies
    return run.discrepancies.count { $0.isOpen && passes($0) } + (isWhole ? 0 : 1)
  }

  private static func passes(_ wanted: [String], _ word: String) -> Bool { wanted.isEmpty || wanted.contains(word) }

  /// What is new, worse or resolved since the last delivery, worst first, after the verdict.
  func changes(_ run: RunOutcome, history: DeliveryHistory) -> [Change] {
    var changes: [Change] = []
    for discrepancy in run.discrepancies where passes(discrepancy) {
      if let kind = kind(of: discrepancy, history.facts[discrepancy.id], run) {
        changes.append(Change(kind, discrepancy))
      }
    }
    changes += vanished(run, history)
    return verdict(run, history) + changes.sorted(by: Change.isBefore)
  }

  private func kind(of discrepancy: Discrepancy, _ fact: DeliveryHistory.Fact?, _ run: RunOutcome) -> Change.Kind? {
    guard let fact else { return discrepancy.isOpen ? .new : nil }
    // A rerun of an older range never contradicts what was sent about a newer one.
    guard run.rangeEnd >= fact.rangeEnd else { return nil }
    let wasOpen = fact.change.kind != .resolved
    if discrepancy.state == "resolved" { return wasOpen ? .resolved : nil }
    guard discrepancy.isOpen else { return nil }
    guard wasOpen else { return .new }
    let (before, after) = (fact.change.differenceMinor, discrepancy.differenceMinor)
    if discrepancy.severity.weight > (Severity(rawValue: fact.change.severity)?.weight ?? 0) { return .worse }
    if (after?.magnitude ?? 0) > (before?.magnitude ?? 0) { return .worse }
    // A decision made on another amount no longer applies: the discrepancy is open again.
    return before != after && !discrepancy.decision.isEmpty ? .new : nil
  }

  /// Discrepancies that were sent as open and are missing from a range that reaches as far: they are no longer present.
  /// An incomplete run cannot show this.
  private func vanished(_ run: RunOutcome, _ history: DeliveryHistory) -> [Change] {
    guard run.outcome == .clean || run.outcome == .discrepancies else { return [] }
    let seen = Set(run.discrepancies.map(\.id))
    return history.facts.values.compactMap { fact in
      guard [.new, .worse].contains(fact.change.kind), run.rangeEnd >= fact.rangeEnd, !seen.contains(fact.change.id)
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

  /// Incomplete and unpublished runs always alert, once per range, whatever the filters; and again when the range is
  /// complete: both are logged under the range.
  private func verdict(_ run: RunOutcome, _ history: DeliveryHistory) -> [Change] {
    let word: String
    switch run.outcome {
    case .clean, .discrepancies: word = "complete"
    case .incomplete: word = "incomplete"
    case .nothingPublished(let status): word = "not published \(status)"
    }
    let before = history.facts["run \(run.range)"]?.change.verdict ?? "complete"
    return word == before ? [] : [Change(verdict: word, range: run.range)]
  }
}
