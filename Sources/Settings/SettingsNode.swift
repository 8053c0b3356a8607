import Synchronization

/// A part of the configuration with keys: returns typed values, and remembers which keys were read.
///
/// No accessor throws: a mistake is recorded with its line and key path, a stand-in is returned, and ``finish()``
/// throws all mistakes at once, together with the keys that were never read. Code that reads a node must call
/// ``finish()`` before using the values.
package struct SettingsNode: Sendable {
  /// Where the node begins, e.g. `crossfoot.yml:12: providers[0]`.
  package let place: SettingsPlace
  /// The folder from which relative paths are resolved.
  let folder: String
  let entries: [SettingsEntry]
  /// False where the value is not a mapping: then one error is enough.
  let hasKeys: Bool
  let ledger = Ledger()

  /// The keys read and the mistakes found; shared by the copies of a node.
  final class Ledger: Sendable {
    struct State {
      var known: Set<String> = []
      /// Keys whose values are needed only to connect.
      var credentials: Set<String> = []
      var problems: [SettingsProblem] = []
      var below: [String: [SettingsNode]] = [:]
      var isFinished = false
    }
    let state = Mutex(State())
  }

  init(_ value: SettingsValue, place: SettingsPlace, folder: String) {
    self.place = place
    self.folder = folder
    switch value.content {
    case .entries(let entries):
      self.entries = entries
      hasKeys = true
    case .nothing:
      entries = []
      hasKeys = true
    case .unresolved:
      entries = []
      hasKeys = false
    default:
      entries = []
      hasKeys = false
      note(.wrongType(place, expected: "keys with values", found: value.found))
    }
  }

  /// The keys as in the file, in its order.
  package var keys: [String] { entries.map(\.key) }

  /// Declares keys that are not read this time, so that they are neither rejected nor missing from the suggestions.
  package func allow(_ keys: String...) {
    ledger.state.withLock { $0.known.formUnion(keys) }
  }

  /// Records a mistake that only the reader of the key can detect; the sentence contains what was found, what was
  /// expected and what to do.
  package func object(to key: String, _ sentence: String) {
    note(.objection(place(of: key), sentence: sentence))
  }

  /// Throws everything that is wrong here and in the nodes below, unknown keys included.
  ///
  /// - Throws: `SettingsError`; a mistake is thrown once, by whichever node above it finishes first.
  package func finish() throws {
    let problems = drain(unknownKeys: true)
    if !problems.isEmpty { throw SettingsError(problems) }
  }

  /// The mistakes so far, here and below; with `unknownKeys`, also every key that was not read.
  func drain(unknownKeys: Bool) -> [SettingsProblem] {
    let (problems, known, children, firstTime) = ledger.state.withLock { state in
      defer {
        state.problems = []
        if unknownKeys { state.isFinished = true }
      }
      return (state.problems, state.known, state.below.values.flatMap { $0 }, !state.isFinished)
    }
    let unknown = entries.filter { unknownKeys && firstTime && !known.contains($0.key) }.map { entry in
      SettingsProblem.unknownKey(
        place(of: entry.key), nearest: NearestKey.of(entry.key, among: Array(known)), known: Array(known))
    }
    return problems + unknown + children.flatMap { $0.drain(unknownKeys: unknownKeys) }
  }

  func note(_ problem: SettingsProblem) {
    ledger.state.withLock { $0.problems.append(problem) }
  }

  /// The nodes below a key, created once: their mistakes are part of this node's.
  func below(_ key: String, _ make: () -> [SettingsNode]) -> [SettingsNode] {
    if let nodes = ledger.state.withLock({ $0.below[key] }) { return nodes }
    let nodes = make()
    ledger.state.withLock { $0.below[key] = nodes }
    return nodes
  }

  /// The place of a key, or of the node itself where the key is absent.
  package func place(of key: String) -> SettingsPlace {
    let path = place.keyPath.isEmpty ? key : "\(place.keyPath).\(key)"
    return SettingsPlace(file: place.file, line: entries.first { $0.key == key }?.line ?? place.line, keyPath: path)
  }

  /// The value of a key, which is marked as read; nil where it is absent or `null`.
  func value(_ key: String) -> SettingsValue? {
    ledger.state.withLock { _ = $0.known.insert(key) }
    guard let value = entries.first(where: { $0.key == key })?.value else { return nil }
    if case .nothing = value.content { return nil }
    return value
  }

  func isUnresolved(_ key: String) -> Bool {
    if case .unresolved = value(key)?.content { return true }
    return false
  }
}
