import Foundation

extension Settings {
  /// The configuration without connections and secrets, as needed to derive results elsewhere; written as JSON, which
  /// is valid YAML.
  ///
  /// Secrets are replaced by variables that are never set: a command that makes no connection works without them.
  ///
  /// - Parameters:
  ///   - landing: the folder of the landed records, relative to the copy's folder.
  ///   - folders: the folders of `checks` and `reports`.
  ///   - rates: the file of `reporting.rates`.
  package func copy(landing: String, folders: [String: [String]], rates: String) -> String {
    guard case .entries(let entries) = value.content else { return "{}\n" }
    let left = ["landing", "store", "alerts", "heartbeat", "checks", "reports"]
    var lines = entries.filter { !left.contains($0.key) }.map { entry in
      "  \(Self.text(entry.key)): " + Self.shown(entry.value, key: entry.key, path: entry.key, indent: 2, rates: rates)
    }
    lines.append("  \"landing\": {\"directory\": \(Self.text(landing))}")
    for (key, paths) in folders.sorted(by: { $0.key < $1.key }) where !paths.isEmpty {
      lines.append("  \(Self.text(key)): [\(paths.map(Self.text).joined(separator: ", "))]")
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static func shown(_ value: SettingsValue, key: String, path: String, indent: Int, rates: String)
    -> String
  {
    let margin = String(repeating: " ", count: indent)
    switch value.content {
    case .entries(let entries):
      if entries.isEmpty { return "{}" }
      let lines = entries.map { entry in
        "\(margin)  \(text(entry.key)): "
          + shown(entry.value, key: entry.key, path: "\(path).\(entry.key)", indent: indent + 2, rates: rates)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
    case .list(let list):
      let items = list.enumerated().map { place, element in
        "\(margin)  " + shown(element, key: key, path: "\(path)[\(place)]", indent: indent + 2, rates: rates)
      }
      return items.isEmpty ? "[]" : "[\n" + items.joined(separator: ",\n") + "\n\(margin)]"
    case .nothing: return "null"
    case .boolean(let truth): return truth ? "true" : "false"
    case .number(let literal): return literal
    case .unresolved: return text(unset)
    case .text(let plain):
      if SettingsValue.isSecret(key, path: path) { return text(unset) }
      if path == "reporting.rates" { return text(rates) }
      return text(key.lowercased() == "url" ? Address.shown(plain) : plain)
    }
  }

  /// A variable that is not set.
  private static let unset = "${NOT_IN_THE_SEAL}"

  private static func text(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
