import HTTP
import Payments
import Settings

/// What a channel receives about one run: the verdict, then the changes, worst first, and never more than a screen.
///
/// It is logged as it is sent, so that a message whose answer was lost is repeated word for word.
package struct Digest: Codable, Sendable, Equatable {
  /// How many discrepancies are listed individually.
  static let top = 10
  /// How many reasons are.
  static let topReasons = 8

  package struct Item: Codable, Sendable, Equatable {
    var change: Change.Kind
    var id, type, severity, provider, connectedAccount, orderID, paymentID, amount, explanation, suggestedAction: String

    private enum CodingKeys: String, CodingKey {
      case change, id, type, severity, provider, amount, explanation
      case connectedAccount = "connected_account"
      case orderID = "order_id"
      case paymentID = "payment_id"
      case suggestedAction = "suggested_action"
    }
  }
  /// The number of changes of a kind and severity, with their amounts.
  package struct Count: Codable, Sendable, Equatable {
    var change: Change.Kind
    var severity: String
    var cases: Int
    /// Differences without their signs, a sum for each currency.
    var amounts: [String]
  }
  /// clean, discrepancies, incomplete, or `nothing published`.
  var verdict: String
  var range: String
  /// One line with the summary: the subject.
  var headline: String
  var reasons: [String]
  var counts: [Count]
  var items: [Item]
  /// The number of changes that are not listed individually.
  var rest: Int
  var reports: String?
  var workbook: String?
  /// Open discrepancies that concern the receiver, plus an incomplete run; nil in messages of older versions.
  var open: Int?

  init(_ run: RunOutcome, _ changes: [Change], open: Int? = nil) {
    self.open = open
    let discrepancies = Dictionary(run.discrepancies.map { ($0.id, $0) }) { one, _ in one }
    let listed = changes.filter { $0.kind != .verdict }
    verdict = Self.word(run.outcome)
    range = run.range
    headline = Self.headline(run, changes)
    let clean = run.reasons.flatMap { $0.split(separator: "\n") }.map { AlertText.clean(String($0), atMost: 300) }
      .filter { !$0.isEmpty }
    reasons = Array(clean.prefix(Self.topReasons))
    if clean.count > reasons.count { reasons.append("and \(clean.count - reasons.count) more") }
    counts = Self.counts(listed)
    items = listed.prefix(Self.top).map { Item($0, discrepancies[$0.id]) }
    rest = listed.count - items.count
    reports = run.reports
    workbook = run.workbook
  }

  /// The address of the report, if `reporting.url` contains the base address.
  var link: String? { reports.flatMap { $0.hasPrefix("http") ? $0 : nil } }

  private static func word(_ outcome: RunOutcome.Outcome) -> String {
    switch outcome {
    case .clean: "clean"
    case .discrepancies: "discrepancies"
    case .incomplete: "incomplete"
    case .nothingPublished: "nothing published"
    }
  }

  private static func headline(_ run: RunOutcome, _ changes: [Change]) -> String {
    var line = "Crossfoot \(run.range): \(word(run.outcome))"
    if case .nothingPublished(let status) = run.outcome { line += " (exit status \(status))" }
    if changes.contains(where: { $0.verdict == "complete" }) { line += ", complete again" }
    let parts = [Change.Kind.new, .worse, .resolved].compactMap { kind in
      let count = changes.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind.rawValue)"
    }
    return parts.isEmpty ? line : line + "; " + parts.joined(separator: ", ")
  }

  private static func counts(_ changes: [Change]) -> [Count] {
    var counts: [Count] = []
    for kind in [Change.Kind.new, .worse, .resolved] {
      for severity in Severity.allCases {
        let some = changes.filter { $0.kind == kind && $0.severity == severity.rawValue }
        if !some.isEmpty {
          counts.append(Count(change: kind, severity: severity.rawValue, cases: some.count, amounts: amounts(some)))
        }
      }
    }
    return counts
  }

  private static func amounts(_ changes: [Change]) -> [String] {
    var sums: [String: Int64] = [:]
    var beyond: Set<String> = []
    for change in changes {
      guard let minor = change.differenceMinor, minor != 0 else { continue }
      let sum = sums[change.currency, default: 0].addingReportingOverflow(Int64(clamping: minor.magnitude))
      if sum.overflow { beyond.insert(change.currency) }
      sums[change.currency] = sum.partialValue
    }
    return sums.keys.sorted().filter { !beyond.contains($0) }.map { Discrepancy.amount(sums[$0], $0) }.filter {
      !$0.isEmpty
    }
  }

  private enum CodingKeys: String, CodingKey {
    case verdict, range, headline, reasons, counts, items, rest, reports, workbook, open
  }
}

extension Digest.Item {
  init(_ change: Change, _ discrepancy: Discrepancy?) {
    self.change = change.kind
    id = change.id
    type = change.type
    severity = change.severity
    provider = change.provider
    connectedAccount = AlertText.clean(change.connectedAccount, atMost: 80)
    orderID = AlertText.clean(discrepancy?.orderID ?? "", atMost: 80)
    paymentID = AlertText.clean(discrepancy?.paymentID ?? "", atMost: 80)
    amount = Discrepancy.amount(change.differenceMinor, change.currency)
    explanation = AlertText.clean(discrepancy?.explanation ?? "The condition is no longer present.", atMost: 400)
    suggestedAction = change.kind == .resolved ? "" : AlertText.clean(discrepancy?.suggestedAction ?? "", atMost: 200)
  }

  /// Severity, type, amount and subject in one line.
  var title: String {
    var words = ["\(severity) \(type)"]
    if !amount.isEmpty { words.append(amount) }
    words.append(provider)
    if !orderID.isEmpty { words.append("order \(orderID)") }
    if !paymentID.isEmpty { words.append("payment \(paymentID)") }
    if !connectedAccount.isEmpty { words.append("account \(connectedAccount)") }
    return words.joined(separator: ", ")
  }
}

/// Text of records, sanitised for messages.
enum AlertText {
  /// One line without control characters, direction changes and e-mail addresses, truncated with `…`.
  static func clean(_ text: String, atMost length: Int) -> String {
    let plain = String(String.UnicodeScalarView(text.unicodeScalars.prefix(16_384).map { isHarmless($0) ? $0 : " " }))
    let line = Addresses.hidden(in: plain.split(separator: " ").joined(separator: " "))
    return line.count > length ? String(line.prefix(length - 1)) + "…" : line
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 127..<160, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
