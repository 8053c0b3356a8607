import Yams

/// A mapping of a layout, read key by key; errors contain file and line.
struct LayoutMapping {
  let node: Node
  let path: String
  /// A description of it for errors.
  let what: String
  /// By key: Yams compares keys one by one and resolves both tags each time.
  private let values: [String: Node]

  init(_ node: Node, path: String, what: String) {
    self.node = node
    self.path = path
    self.what = what
    values = Dictionary((node.mapping ?? [:]).map { ($0.key.scalar?.string ?? "", $0.value) }) { one, _ in one }
  }

  var line: Int { node.line }

  subscript(_ key: String) -> Node? { values[key] }

  /// - Throws: `ReportError.badDefinition` naming the line of an unknown key, with the nearest known one.
  func refuseUnknown(besides known: [String]) throws(ReportError) {
    guard let mapping = node.mapping else {
      throw mistake(line, "\(what): expected a mapping with the keys \(known.joined(separator: ", "))")
    }
    for pair in mapping {
      let key = pair.key.scalar?.string ?? ""
      if known.contains(key) { continue }
      let nearest = known.min { distance($0, key) < distance($1, key) } ?? ""
      throw mistake(pair.key.line, "unknown key \"\(key)\" in \(what); did you mean \"\(nearest)\"?")
    }
  }

  func text(_ key: String) throws(ReportError) -> String {
    guard let text = try optionalText(key) else { throw mistake(line, "\(what): \(key) is missing") }
    return text
  }

  func optionalText(_ key: String) throws(ReportError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.scalar?.string, !text.isEmpty else { throw mistake(value.line, "\(key): expected text") }
    return text
  }

  /// A name that can occur in a query: lower-case letters, digits and underscores.
  func identifier(_ key: String) throws(ReportError) -> String {
    let text = try text(key)
    let isFine = text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    guard isFine, let first = text.utf8.first, !(48...57).contains(first) else {
      throw mistake(
        self[key]?.line ?? line, "\(key): \"\(text)\" is no column; expected lower-case letters, digits and underscores"
      )
    }
    return text
  }

  func optionalIdentifier(_ key: String) throws(ReportError) -> String? { self[key] == nil ? nil : try identifier(key) }

  func optionalInteger(_ key: String) throws(ReportError) -> Int? {
    guard let value = self[key] else { return nil }
    guard let integer = value.int, (0...10_000).contains(integer) else {
      throw mistake(value.line, "\(key): expected a number from 0 to 10000")
    }
    return integer
  }

  /// A list of texts; empty if the key is missing.
  func texts(_ key: String) throws(ReportError) -> [String] {
    guard let value = self[key] else { return [] }
    var texts: [String] = []
    for node in value.sequence ?? [] {
      guard let text = node.scalar?.string, !text.isEmpty else { throw mistake(node.line, "\(key): expected texts") }
      texts.append(text)
    }
    if texts.isEmpty { throw mistake(value.line, "\(key): expected a list of texts") }
    return texts
  }

  /// true or false; false if the key is missing.
  func flag(_ key: String) throws(ReportError) -> Bool {
    guard let value = self[key] else { return false }
    switch value.scalar?.style == .plain ? value.scalar?.string.lowercased() : nil {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: throw mistake(value.line, "\(key): expected true or false")
    }
  }

  /// Words and how each is highlighted.
  func looks(_ key: String) throws(ReportError) -> [(word: String, look: HighlightLook)] {
    guard let value = self[key] else { return [] }
    guard let mapping = value.mapping else {
      throw mistake(value.line, "\(key): expected words, each with good, warning or bad")
    }
    var looks: [(word: String, look: HighlightLook)] = []
    for (word, look) in mapping {
      guard let word = word.scalar?.string, let look = look.scalar.flatMap({ HighlightLook(rawValue: $0.string) })
      else {
        throw mistake(value.line, "\(key): expected words, each with good, warning or bad")
      }
      looks.append((word, look))
    }
    return looks
  }

  /// A width in characters; 14 if the key is missing.
  func width(_ key: String) throws(ReportError) -> Double {
    guard let value = self[key] else { return 14 }
    guard let width = value.float, (1...255).contains(width) else {
      throw mistake(value.line, "\(key): expected a width from 1 to 255")
    }
    return width
  }

  /// One word of a fixed list.
  func word<Word: RawRepresentable & CaseIterable>(_ key: String, _ type: Word.Type) throws(ReportError) -> Word
  where Word.RawValue == String {
    let text = try text(key)
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake(self[key]?.line ?? line, "\(key): \"\(text)\" is none of \(words)")
    }
    return word
  }

  private func mistake(_ line: Int, _ reason: String) -> ReportError {
    .badDefinition(path: path, line: line, reason: reason)
  }

  /// Edit distance of two short words.
  private func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (index, byte) in one.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let kept = diagonal + (other[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(kept, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}

extension Node {
  /// The line it begins on, from 1; 0 where YAML gives none.
  var line: Int { mark?.line ?? 0 }
}

extension YamlError {
  /// The line of the mistake, from 1; 0 where YAML gives none.
  var line: Int {
    switch self {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
    case .duplicatedKeysInMapping(_, let context): context.mark.line
    default: 0
    }
  }

  /// What is wrong, without the excerpt that Yams draws under it.
  var sentence: String {
    switch self {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
    case .duplicatedKeysInMapping(let keys, _):
      "the key \(keys.map(\.description).sorted().joined(separator: ", ")) stands there twice"
    default: String(describing: self)
    }
  }
}
