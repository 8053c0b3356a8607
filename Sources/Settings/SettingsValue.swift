import Yams

/// One value of the configuration as written in the file, with variables resolved and numbers still literal text.
struct SettingsValue: Sendable {
  /// What was written there.
  enum Content: Sendable {
    case text(String)
    case number(String)
    case boolean(Bool)
    case nothing
    /// A text whose variable is missing, which has already been reported.
    case unresolved
    case list([SettingsValue])
    case entries([SettingsEntry])
  }
  var content: Content
  /// From 1.
  var line: Int
  /// Whether any part of it came from the environment or from a file: messages then do not quote it.
  var isReferred = false
}

/// One key with its value.
struct SettingsEntry: Sendable {
  var key: String
  var line: Int
  var value: SettingsValue
}

extension SettingsValue {
  /// A description for "expected …, found …"; quotes short literal values only, never text from a variable.
  var found: String {
    switch content {
    case .text(let text): isReferred || text.utf8.count > 40 ? "text" : "the text \"\(text)\""
    case .number(let literal): "the number \(literal.prefix(40))"
    case .boolean(let truth): truth ? "true" : "false"
    case .nothing: "nothing"
    case .unresolved: "an unresolved variable"
    case .list: "a list"
    case .entries: "keys with values"
    }
  }

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - text: the content of the file.
  ///   - file: its name in messages.
  ///   - references: resolves `${…}`; records what it cannot resolve.
  /// - Throws: `SettingsError` with one `malformedYAML`.
  static func document(_ text: String, file: String, references: inout References) throws -> SettingsValue {
    do {
      guard let root = try Yams.compose(yaml: References.shielded(text)) else {
        return SettingsValue(content: .nothing, line: 1)
      }
      var left = mostNodes
      guard isBounded(root, &left) else {
        throw SettingsError([
          .malformedYAML(SettingsPlace(file: file, line: 1, keyPath: ""), column: 1, reason: tooManyNodes)
        ])
      }
      return value(of: root, keyPath: "", line: 1, references: &references)
    } catch let error as YamlError {
      throw SettingsError([error.problem(file: file)])
    }
  }

  /// Nested aliases can make a small file a huge configuration.
  private static let mostNodes = 100_000
  private static let tooManyNodes =
    "it has more than 100,000 values once its aliases are followed; write the values out"

  private static func isBounded(_ node: Node, _ left: inout Int) -> Bool {
    left -= 1
    switch node {
    case .sequence(let nodes): for node in nodes where !isBounded(node, &left) { return false }
    case .mapping(let pairs):
      for (key, value) in pairs where !(isBounded(key, &left) && isBounded(value, &left)) { return false }
    case .scalar, .alias: break
    }
    return left > 0
  }

  private static func value(of node: Node, keyPath: String, line: Int, references: inout References) -> SettingsValue {
    let line = node.mark?.line ?? line
    switch node {
    case .scalar(let scalar):
      return self.scalar(scalar, keyPath: keyPath, line: line, references: &references)
    case .sequence(let nodes):
      let list = nodes.enumerated().map { offset, element in
        value(of: element, keyPath: "\(keyPath)[\(offset)]", line: line, references: &references)
      }
      return SettingsValue(content: .list(list), line: line)
    case .mapping(let pairs):
      let entries = pairs.map { key, element in
        let name = key.string.map(References.unshielded) ?? "?"
        let path = keyPath.isEmpty ? name : "\(keyPath).\(name)"
        let keyLine = key.mark?.line ?? line
        return SettingsEntry(
          key: name, line: keyLine, value: value(of: element, keyPath: path, line: keyLine, references: &references))
      }
      return SettingsValue(content: .entries(entries), line: line)
    case .alias:
      return SettingsValue(content: .nothing, line: line)
    }
  }

  private static func scalar(_ scalar: Node.Scalar, keyPath: String, line: Int, references: inout References)
    -> SettingsValue
  {
    let node = Node.scalar(scalar)
    switch node.tag.description {
    case Tag.Name.null.rawValue: return SettingsValue(content: .nothing, line: line)
    case Tag.Name.bool.rawValue: return SettingsValue(content: .boolean(node.bool ?? false), line: line)
    case Tag.Name.int.rawValue, Tag.Name.float.rawValue:
      return SettingsValue(content: .number(scalar.string), line: line)
    default: break
    }
    let text = References.unshielded(scalar.string)
    guard text.contains("${") else { return SettingsValue(content: .text(text), line: line) }
    let resolved = references.resolve(text, line: line, keyPath: keyPath)
    return SettingsValue(content: resolved.map { .text($0) } ?? .unresolved, line: line, isReferred: true)
  }
}

extension YamlError {
  /// The YAML error in our words, with its line; never the text of the file, which may contain secrets.
  func problem(file: String) -> SettingsProblem {
    func malformed(_ line: Int, _ column: Int, _ reason: String) -> SettingsProblem {
      .malformedYAML(SettingsPlace(file: file, line: line, keyPath: ""), column: column, reason: reason)
    }
    switch self {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      return malformed(mark.line, mark.column, context.map { "\(problem) (\($0.text))" } ?? problem)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let keys = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
      return malformed(context.mark.line, context.mark.column, "the key \(keys) is repeated; keep one")
    case .reader(let problem, let offset, _, let yaml):
      let line = yaml.prefix(offset ?? 0).split(separator: "\n", omittingEmptySubsequences: false).count
      return malformed(max(line, 1), 1, problem)
    default:
      return malformed(1, 1, "it cannot be parsed")
    }
  }
}
