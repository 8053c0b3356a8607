import Foundation

extension SettingsValue {
  /// One line per value, keys sorted, secrets as `<secret>`: identical for two files with the same meaning, whatever
  /// their order and comments.
  var canonicalText: String {
    var lines: [String] = []
    collect(path: "", key: "", into: &lines)
    return lines.sorted().joined(separator: "\n") + "\n"
  }

  private func collect(path: String, key: String, into lines: inout [String]) {
    switch content {
    case .entries(let entries):
      for entry in entries {
        entry.value.collect(path: path.isEmpty ? entry.key : "\(path).\(entry.key)", key: entry.key, into: &lines)
      }
    case .list(let list):
      for (offset, element) in list.enumerated() { element.collect(path: "\(path)[\(offset)]", key: key, into: &lines) }
    case .nothing: break
    case .text(let text): lines.append("\(path)=\(Self.shown(text, key: key, path: path))")
    case .number(let literal): lines.append("\(path)=\(literal)")
    case .boolean(let truth): lines.append("\(path)=\(truth)")
    case .unresolved: lines.append("\(path)=\(Self.isSecret(key, path: path) ? "<secret>" : "?")")
    }
  }

  /// A text as it is hashed; keys that hold secrets are recognised by their names.
  private static func shown(_ text: String, key: String, path: String) -> String {
    if isSecret(key, path: path) { return "<secret>" }
    let shown = key.lowercased() == "url" ? Address.shown(text) : text
    return shown.replacingOccurrences(of: "\n", with: "\\n")
  }

  static func isSecret(_ key: String, path: String) -> Bool {
    let name = key.lowercased()
    return ["key", "secret", "password", "token", "ping_url"].contains { name.contains($0) }
      || path.hasPrefix("alerts[") && name == "url"
  }
}
