/// Values that are needed only to connect: a command that makes no connection works without them.
extension SettingsNode {
  /// A required text that may be displayed, such as a user name.
  package func credential(_ key: String) -> String {
    noteCredential(key)
    return string(key)
  }

  /// The same for an optional key; empty where its variable is not set.
  package func optionalCredential(_ key: String) -> String? {
    noteCredential(key)
    return optionalString(key) ?? (isUnset(key) ? "" : nil)
  }

  /// Whether a text of the key refers to a variable that is not set.
  package func isUnset(_ key: String) -> Bool {
    if case .list(let list) = value(key)?.content {
      return list.contains { if case .unresolved = $0.content { true } else { false } }
    }
    return isUnresolved(key)
  }

  func noteCredential(_ key: String) {
    ledger.state.withLock { _ = $0.credentials.insert(key) }
  }

  /// The key paths of the credentials here and in the nodes below.
  var credentialPaths: Set<String> {
    let (keys, children) = ledger.state.withLock { ($0.credentials, $0.below.values.flatMap { $0 }) }
    return children.reduce(into: Set(keys.map { place(of: $0).keyPath })) { $0.formUnion($1.credentialPaths) }
  }
}

extension SettingsProblem {
  /// Whether a variable is not set, or a file with a secret cannot be read.
  var isMissingReference: Bool {
    switch self {
    case .missingVariable, .unreadableSecretFile: true
    default: false
    }
  }
}

/// Problems that a command without connections ignores: variables that are not set, where they are needed only to
/// connect.
struct UnusedCredentials {
  /// Key paths below `providers` and `orders` that were read as credentials.
  let paths: Set<String>

  /// The problems without those of unused credentials.
  func dropped(from problems: [SettingsProblem]) -> [SettingsProblem] {
    let unset = Set(
      problems.filter { $0.isMissingReference && isUnused($0.place.keyPath) }.map { Self.key($0.place.keyPath) })
    return problems.filter { !unset.contains(Self.key($0.place.keyPath)) }
  }

  /// Receivers of alerts and heartbeats are not contacted either.
  private func isUnused(_ path: String) -> Bool {
    path.hasPrefix("alerts[") || path.hasPrefix("heartbeat.") || paths.contains(Self.key(path))
  }

  /// The key of a path, without an index: `providers[0].hmac_keys` for `providers[0].hmac_keys[1]`.
  private static func key(_ path: String) -> String {
    guard path.hasSuffix("]"), let bracket = path.lastIndex(of: "[") else { return path }
    return String(path[..<bracket])
  }
}
