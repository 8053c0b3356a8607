import Decisions
import Reports

/// Everything about an id: the records, entries, fund flows, matches, discrepancies and decisions of what it refers to.
package struct Story: Sendable, Encodable {
  /// A dated line: a record with its place in the landing zone, or an entry.
  package struct Line: Sendable, Encodable {
    /// RFC 3339; nil where the record has no date.
    var at: String?
    var kind, id: String
    /// An exact decimal in `currency`; nil where there is no amount.
    var amount, currency: String?
    var detail: String
    /// The landed file, and the line in it from 1.
    var file: String?
    var line: Int64?
  }
  /// What each party received from a payment by the range's end, in one settlement currency.
  package struct FundFlow: Sendable, Encodable {
    var currency: String
    var captured, platform, connected, customer, provider, other: String
  }
  /// One subject that the id refers to.
  package struct Part: Sendable, Encodable {
    var subject: Subject
    var records, entries: [Line]
    var fundFlows: [FundFlow]
  }
  package struct Match: Sendable, Encodable, Equatable {
    var orderID, paymentID, matchStatus, rule: String
  }
  package struct Problem: Sendable, Encodable, Equatable {
    var discrepancyID, type, severity, state, firstSeen, explanation, suggestedAction: String
  }
  package var id: String
  package var parts: [Part] = []
  package var matches: [Match] = []
  package var discrepancies: [Problem] = []
  /// What people decided about a discrepancy, oldest first.
  package var decisions: [Decision] = []
  /// Further subjects that are known by the same name.
  package var others: [Subject] = []

  package var isEmpty: Bool { parts.isEmpty && discrepancies.isEmpty }
}

extension Story {
  /// Something that an id can refer to.
  package struct Subject: Sendable, Hashable, Encodable {
    package enum Kind: String, Sendable, Encodable {
      case order, payment, payout, account, record
      case connectedAccount = "connected account"
    }
    package var kind: Kind
    /// The configured provider, or the source of a record; nil for an order.
    package var provider: String?
    package var id: String

    /// The name by which `explain` finds this subject only.
    package var name: String { "\(provider ?? "order"):\(id)" }

    var flowKey: String { kind == .payment ? name : "" }
    var orderID: String { kind == .order ? id : "" }

    private enum CodingKeys: String, CodingKey { case kind, provider, id, name }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind, forKey: .kind)
      try container.encodeIfPresent(provider, forKey: .provider)
      try container.encode(id, forKey: .id)
      try container.encode(name, forKey: .name)
    }
  }

  /// The answer of `explain`.
  package enum Answer: Sendable {
    case story(Story)
    /// The id matches unrelated records; each has a line that describes it.
    case several([(subject: Subject, description: String)])
    /// Nothing matches; a few similar ids at most.
    case nothing(near: [String], hasRun: Bool)
  }
}

extension Story {
  /// The same as text for people.
  package var lines: [String] {
    var lines = parts.flatMap(\.lines)
    if !matches.isEmpty { lines += ["Match"] + matches.map(\.text) }
    lines += ["Checks"] + (discrepancies.isEmpty ? ["  no discrepancies"] : discrepancies.map(\.text))
    if !decisions.isEmpty { lines += ["Decisions"] + decisions.map(Self.text) }
    if !others.isEmpty {
      lines += ["Also of this name"] + others.map { "  \($0.kind.rawValue) \($0.id): crossfoot explain \($0.name)" }
    }
    return lines
  }
}

extension Story.Part {
  fileprivate var lines: [String] {
    let name =
      subject.kind == .payment || subject.kind == .order
      ? (subject.kind == .order ? subject.id : subject.name) : subject.name
    var lines =
      ["\(subject.kind.rawValue.prefix(1).uppercased())\(subject.kind.rawValue.dropFirst()) \(name)"]
      + records.map(\.text)
    if !entries.isEmpty { lines += ["  Entries"] + entries.map(\.text) }
    return lines + fundFlows.map(\.text)
  }
}

extension Story.Line {
  /// `    2026-03-01T09:00:00Z  refund  re_1  10.00 EUR  succeeded [landing/…:3]`.
  fileprivate var text: String {
    let money = [amount, currency].compactMap { $0 }.joined(separator: " ")
    let place = file.map { path in path.isEmpty ? "" : " [\(path)\((line ?? 0) > 0 ? ":\(line ?? 0)" : "")]" } ?? ""
    return "    \(at ?? "")  \(kind)  \(id)  \(money)  \(detail)\(place)"
  }

  /// The same as part of a longer line, without its place.
  var description: String {
    [
      [kind, id].filter { !$0.isEmpty }.joined(separator: " "), at,
      [amount, currency].compactMap { $0 }.joined(separator: " "), detail,
    ]
    .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension Story.FundFlow {
  fileprivate var text: String {
    let parts = [
      ("captured", captured), ("platform", platform), ("connected", connected), ("customer", customer),
      ("provider", provider),
      ("other", other),
    ]
    return "  Fund flow: " + parts.map { "\($0.0) \($0.1) \(currency)" }.joined(separator: ", ")
  }
}

extension Story.Match {
  fileprivate var text: String {
    let sides = [orderID, paymentID].map { $0.isEmpty ? "nothing" : $0 }
    return "  \(sides[0]) and \(sides[1]): \(matchStatus)" + (rule.isEmpty ? "" : ", by rule \(rule)")
  }
}

extension Story.Problem {
  fileprivate var text: String {
    "  \(discrepancyID)  \(severity) \(type), \(state) since \(firstSeen): \(Prose.text(explanation)) "
      + suggestedAction
  }
}
