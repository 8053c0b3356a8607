/// The keys that the entries of all providers have in common; the rest stays in its node, which the provider reads and
/// finishes.
package struct ProviderEntry: Sendable {
  /// Unique, in the characters of ``EntryName``: it becomes folders of the landing zone.
  package let name: String
  /// One of the kinds in the Providers module.
  package let kind: String
  /// The whole entry; the provider reads its own keys and calls `finish()`.
  package let node: SettingsNode
  /// The top-level policy with the overrides of the entry.
  package let policy: Policy
  /// An absolute path to a private certificate authority.
  package let caFile: String?
  package let retry: Retry
  /// How far the provider's interface lags, seconds; nil: the default of its kind.
  package let lag: Int64?
  /// Patterns of file names to skip in its folders.
  package let ignored: [String]
  /// The time zone of the reporting days, an IANA name: providers that state days without a time zone mean these.
  package let reportingTimeZone: String

  init?(_ node: SettingsNode, kinds: [String], policy above: Policy, timeZone: String) {
    self.node = node
    name = EntryName.read(node)
    kind = node.word("kind", of: kinds)
    policy = Policy(node.node("policy"), over: above)
    caFile = node.optionalPath("ca_file")
    retry = Retry(node.node("retry"))
    lag = node.optionalDuration("lag")
    ignored = node.strings("ignore", default: [])
    reportingTimeZone = timeZone
    if name.isEmpty || !kinds.contains(kind) { return nil }
  }
}

/// How often and how long a request is retried.
package struct Retry: Sendable, Equatable {
  /// The first try included.
  package var attempts: Int64 = 8
  /// The longest wait before another try, seconds.
  package var waitAtMost: Int64 = 300

  /// The defaults.
  package init() {}

  init(_ node: SettingsNode) {
    attempts = node.integer("attempts", default: 8, in: 1...100)
    waitAtMost = node.duration("wait_at_most", default: 300)
  }
}

/// Names of providers and order sources: they become folders of the landing zone and are in every report.
enum EntryName {
  /// The `name` of an entry; empty when it cannot be used, which is recorded.
  static func read(_ node: SettingsNode) -> String {
    let name = node.string("name")
    if name.isEmpty || isValid(name) { return name }
    node.object(
      to: "name", "expected small letters, digits, \"_\" and \"-\" only (it names a folder), as in \"stripe-eu\"")
    return ""
  }

  private static func isValid(_ name: String) -> Bool {
    name.utf8.count <= 64 && !name.hasPrefix("-")
      && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45 }
  }

  /// Records every name that occurs a second time.
  static func checkUnique(_ nodes: [SettingsNode]) {
    var lines: [String: Int] = [:]
    for node in nodes.sorted(by: { $0.place.line < $1.place.line }) {
      guard let name = node.optionalString("name"), !name.isEmpty else { continue }
      let place = node.place(of: "name")
      if let first = lines[name] {
        node.note(.duplicateName(place, name: name, firstLine: first))
      } else {
        lines[name] = place.line
      }
    }
  }
}
