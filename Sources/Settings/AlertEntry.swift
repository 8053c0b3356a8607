/// One channel that alerts go to.
package struct AlertEntry: Sendable {
  /// The kind of channel and its address.
  package enum Channel: Sendable {
    /// The address itself is the credential.
    case slack(url: Secret)
    /// Signed with `secret` if there is one.
    case webhook(url: Secret, secret: Secret?)
    /// A service with a message format of its own; `secret` is its key, if the template uses one.
    case service(url: Secret, secret: Secret?, template: WebhookTemplate)
    /// Through a mail server; `smtp://` with STARTTLS or `smtps://`.
    case email(url: String, username: String?, password: Secret?, from: String, to: [String])
  }
  package let channel: Channel
  /// Only discrepancies at least this severe.
  package let minimumSeverity: Severity
  /// Only these providers, types, connected accounts and owners; an empty list accepts all.
  package let providers: [String]
  package let types: [String]
  package let connectedAccounts: [String]
  package let owners: [String]
  package let caFile: String?
  package let retry: Retry

  init?(_ node: SettingsNode) {
    let kind = node.word("kind", of: ["slack", "webhook", "email"])
    minimumSeverity =
      Severity(rawValue: node.word("minimum_severity", of: Severity.alertable, default: "high")) ?? .high
    providers = node.oneOrMore("provider")
    types = node.oneOrMore("type")
    connectedAccounts = node.oneOrMore("connected_account")
    owners = node.oneOrMore("owner")
    caFile = node.optionalPath("ca_file")
    retry = Retry(node.node("retry"))
    switch kind {
    case "slack": channel = .slack(url: Secret(node.url("url")))
    case "webhook": channel = Self.webhook(node)
    case "email": channel = Self.email(node)
    default:
      node.allow("url", "secret", "template", "username", "password", "from", "to")
      return nil
    }
  }

  private static func webhook(_ node: SettingsNode) -> Channel {
    let (url, secret) = (Secret(node.url("url")), node.optionalSecret("secret"))
    guard let template = WebhookTemplate.read(node) else { return .webhook(url: url, secret: secret) }
    return .service(url: url, secret: secret, template: template)
  }

  private static func email(_ node: SettingsNode) -> Channel {
    let to = node.oneOrMore("to")
    if to.isEmpty { node.object(to: "to", "missing; expected one address or more, as in [finance@example.com]") }
    return .email(
      url: node.url("url", schemes: ["smtp", "smtps"]), username: node.optionalString("username"),
      password: node.optionalSecret("password"), from: node.string("from"), to: to)
  }
}

/// How bad a discrepancy is.
package enum Severity: String, Sendable, CaseIterable {
  case critical, high, medium, low
  /// Listed, and never counted.
  case ignore

  /// The severities that `minimumSeverity` accepts.
  static let alertable = ["critical", "high", "medium", "low"]
}

extension SettingsNode {
  /// A text or a list of texts.
  func oneOrMore(_ key: String) -> [String] {
    if case .text(let text) = value(key)?.content { return [text] }
    return strings(key)
  }
}
