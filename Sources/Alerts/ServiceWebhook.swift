import Foundation
import Settings

/// A service with a message format of its own: the digest in the form of its template.
struct ServiceWebhook: Channel {
  let post: Post
  /// The service's key, if the template uses one.
  let secret: Secret?
  let template: WebhookTemplate
  /// The same for all messages of the channel: all its open items are one incident.
  let incident: String

  func deliver(_ digest: Digest, key: String) async -> Delivery {
    let words = TemplateWords(digest, key: key, incident: incident, secret: secret)
    let message = digest.open == 0 ? template.closed ?? template.open : template.open
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(words.filled(message.body)) else {
      return .failed("webhook: the message cannot be written", isForGood: true)
    }
    var post = post
    post.secrets = [secret?.revealed].compactMap { $0 }
    if let path = message.path { post.url = Secret(post.url.revealed + words.filled(path)) }
    let headers = (template.headers ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, words.filled($0.value)) }
    return await post.send(body, headers: headers, label: "webhook")
  }
}

/// The values of a template's names for one message.
struct TemplateWords {
  private let values: [String: String]
  private let lines: [String]

  /// The maximum number of lines, so that a card is no longer than its service accepts.
  private static let mostLines = 60

  init(_ digest: Digest, key: String, incident: String, secret: Secret?) {
    values = [
      "headline": digest.headline, "text": digest.text, "severity": digest.worstSeverity, "range": digest.range,
      "verdict": digest.verdict,
      "url": digest.link ?? "", "key": key, "incident": incident, "secret": secret?.revealed ?? "",
    ]
    let all = digest.text.split(separator: "\n").dropFirst().map(String.init)
    lines = all.prefix(Self.mostLines) + (all.count > Self.mostLines ? ["…"] : [])
  }

  /// A text with its names replaced; inserted text is not replaced again.
  func filled(_ text: String, line: String = "") -> String {
    text.replacing(/{([a-z_]+)((?:\|[^{}|]*)*)}/) { match in
      let value = match.1 == "line" ? line : values[String(match.1)] ?? ""
      return match.2.split(separator: "|").reduce(value) { Self.applied(String($1), to: value, so: $0) }
    }
  }

  /// `130` truncates, `high=P2` replaces the value `high`.
  private static func applied(_ option: String, to value: String, so far: String) -> String {
    if let length = Int(option) { return far.count > length ? String(far.prefix(max(0, length - 1))) + "…" : far }
    let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == value ? String(parts[1]) : far
  }

  /// A value with its names replaced: members that become empty are left out, elements with `repeat` are repeated.
  func filled(_ value: TemplateValue) -> TemplateValue { filled(value, line: "") }

  private func filled(_ value: TemplateValue, line: String) -> TemplateValue {
    switch value {
    case .text(let text): return .text(filled(text, line: line))
    case .members(let members):
      return .members(members.mapValues { filled($0, line: line) }.filter { !isLeftEmpty(members[$0.key], $0.value) })
    case .list(let elements):
      return .list(
        elements.flatMap { repeated($0, line: line) }.filter { !isIncomplete($0.template, $0.value) }.map(\.value))
    default: return value
    }
  }

  private func repeated(_ element: TemplateValue, line: String) -> [(template: TemplateValue, value: TemplateValue)] {
    guard case .members(var members) = element, members.removeValue(forKey: WebhookTemplate.repeatKey) != nil else {
      return [(element, filled(element, line: line))]
    }
    return lines.map { (.members(members), filled(.members(members), line: $0)) }
  }

  /// A text of names that are all empty, or a list that lost its elements.
  private func isLeftEmpty(_ template: TemplateValue?, _ value: TemplateValue) -> Bool {
    switch (template, value) {
    case (.text(let text)?, .text("")): !text.isEmpty
    case (.list(let before)?, .list(let after)): !before.isEmpty && after.isEmpty
    default: false
    }
  }

  /// An element that lost a member is useless to its service.
  private func isIncomplete(_ template: TemplateValue, _ value: TemplateValue) -> Bool {
    guard case .members(let before) = template, case .members(let after) = value else { return false }
    return after.count < before.count
  }
}

extension Digest {
  /// critical, high, medium or low: the worst of what is new or worse; high for an incomplete run.
  var worstSeverity: String {
    let isWhole = verdict == "clean" || verdict == "discrepancies"
    let words = counts.filter { $0.change != .resolved }.map(\.severity) + (isWhole ? [] : [Severity.high.rawValue])
    return words.compactMap { Severity(rawValue: $0) }.max { $0.weight < $1.weight }?.rawValue ?? Severity.low.rawValue
  }
}
