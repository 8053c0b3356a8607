import Synchronization

/// A part of the configuration with keys: hands out typed values, and remembers which keys were asked for.
///
/// No accessor throws: a mistake is noted with its line and key path, a stand-in is returned, and ``finish()`` throws
/// all mistakes at once, together with the keys that nobody asked for. So whoever reads a node calls ``finish()``
/// before using what was read.
package struct SettingsNode: Sendable {
  /// Where the node begins, e.g. `crossfoot.yml:12: providers[0]`.
  package let place: SettingsPlace
  /// The folder that relative paths start from.
  let folder: String
  let entries: [SettingsEntry]
  /// False where something else than keys stands: then one complaint is enough.
  let hasKeys: Bool
  let ledger = Ledger()

  /// What was asked for and what was wrong; shared by the copies of a node.
  final class Ledger: Sendable {
    struct State {
      var known: Set<String> = []
      /// Keys whose values serve to connect, and for nothing else.
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

  /// The keys as they are in the file, in its order.
  package var keys: [String] { entries.map(\.key) }

  /// Makes keys known that are not read this time, so that they are neither refused nor left out of the suggestions.
  package func allow(_ keys: String...) {
    ledger.state.withLock { $0.known.formUnion(keys) }
  }

  /// Notes a mistake that only the reader of the key can see; the sentence says what was found, what was expected and
  /// what to do.
  package func object(to key: String, _ sentence: String) {
    note(.objection(place(of: key), sentence: sentence))
  }

  /// Throws everything that was wrong here and in the nodes below, unknown keys included.
  ///
  /// - Throws: `SettingsError`; a mistake is thrown once, by whichever node above it finishes first.
  package func finish() throws {
    let problems = drain(unknownKeys: true)
    if !problems.isEmpty { throw SettingsError(problems) }
  }

  /// What was wrong so far here and below; with `unknownKeys`, also every key that was not asked for.
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

  /// The nodes below a key, made once: their mistakes are part of this node's.
  func below(_ key: String, _ make: () -> [SettingsNode]) -> [SettingsNode] {
    if let nodes = ledger.state.withLock({ $0.below[key] }) { return nodes }
    let nodes = make()
    ledger.state.withLock { $0.below[key] = nodes }
    return nodes
  }

  /// Where a key stands, or the node itself where it is absent.
  package func place(of key: String) -> SettingsPlace {
    let path = place.keyPath.isEmpty ? key : "\(place.keyPath).\(key)"
    return SettingsPlace(file: place.file, line: entries.first { $0.key == key }?.line ?? place.line, keyPath: path)
  }

  /// The value of a key, which becomes known; nil where it is absent or `null`.
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
