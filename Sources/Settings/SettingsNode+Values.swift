/// The typed accessors: a required key has no default, an optional one returns nil or its default when absent or
/// `null`.
extension SettingsNode {
  // MARK: Text

  /// A required text; an unquoted number counts as the text it was written as.
  package func string(_ key: String) -> String {
    required(key, "a text", optionalString(key))
  }

  /// A text with a default.
  package func string(_ key: String, default standard: String) -> String {
    optionalString(key) ?? standard
  }

  /// An optional text.
  package func optionalString(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    return text(value, place(of: key), expected: "a text")
  }

  /// A required text that must never be displayed.
  package func secret(_ key: String) -> Secret {
    noteCredential(key)
    return Secret(required(key, "a text, best as ${NAME} or ${file:/path}", optionalString(key)))
  }

  /// An optional text that must never be displayed.
  package func optionalSecret(_ key: String) -> Secret? {
    optionalCredential(key).map(Secret.init)
  }

  /// A list of texts; empty when left out.
  package func strings(_ key: String, default standard: [String] = []) -> [String] {
    guard let value = value(key) else { return standard }
    guard case .list(let list) = value.content else {
      if case .unresolved = value.content { return standard }
      note(.wrongType(place(of: key), expected: "a list, as in [one, two]", found: value.found))
      return standard
    }
    return list.enumerated().compactMap { offset, element in
      text(element, place(of: key, offset, element), expected: "a text")
    }
  }

  /// A list of texts that must never be displayed; empty when left out.
  package func secrets(_ key: String) -> [Secret] {
    noteCredential(key)
    return strings(key).map(Secret.init)
  }

  /// One of several words.
  package func word(_ key: String, of words: [String], default standard: String? = nil) -> String {
    guard let word = optionalString(key) else { return standard ?? required(key, Self.choice(words), nil) }
    if words.contains(word) { return word }
    let nearest = NearestKey.of(word, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
    note(.badValue(place(of: key), expected: Self.choice(words), found: found(key) + nearest))
    return standard ?? ""
  }

  // MARK: Truth and numbers

  /// `true` or `false`.
  package func bool(_ key: String, default standard: Bool) -> Bool {
    guard let value = value(key) else { return standard }
    if case .boolean(let truth) = value.content { return truth }
    return complain(key, "true or false", value, standard)
  }

  /// A whole number within a range.
  package func integer(_ key: String, default standard: Int64, in range: ClosedRange<Int64> = 0...Int64.max) -> Int64 {
    optionalInteger(key, in: range) ?? standard
  }

  /// An optional whole number within a range.
  package func optionalInteger(_ key: String, in range: ClosedRange<Int64> = 0...Int64.max) -> Int64? {
    guard let value = value(key) else { return nil }
    guard case .number(let literal) = value.content, let number = Int64(literal) else {
      return complain(key, "a whole number", value, nil)
    }
    guard range.contains(number) else {
      let bounds =
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      note(.badValue(place(of: key), expected: "a whole number, \(bounds)", found: value.found))
      return nil
    }
    return number
  }

  /// A decimal kept as its literal text, e.g. `2.9` or `0.30`; nothing is rounded.
  package func decimal(_ key: String) -> String {
    guard let value = value(key) else { return required(key, "a decimal number, as in 0.30", nil) }
    switch value.content {
    case .number(let text) where Self.isDecimal(text), .text(let text) where Self.isDecimal(text): return text
    default: return complain(key, "a decimal number, as in 0.30", value, "0")
    }
  }

  /// A duration in seconds, written `90s`, `10m`, `26h` or `7d`.
  package func duration(_ key: String, default standard: Int64) -> Int64 {
    optionalDuration(key) ?? standard
  }

  /// An optional duration in seconds.
  package func optionalDuration(_ key: String) -> Int64? {
    guard let value = value(key) else { return nil }
    if case .text(let text) = value.content, let seconds = DurationText.seconds(text) { return seconds }
    return complain(key, "a duration, as in 90s, 10m, 26h or 7d", value, nil)
  }

  // MARK: Pieces

  /// The text of a required key, or an empty stand-in after recording the mistake.
  func required(_ key: String, _ expected: String, _ text: String?) -> String {
    if let text, !text.isEmpty { return text }
    if !hasKeys || (text == nil && value(key) != nil) { return "" }
    note(.missingKey(place(of: key), expected: expected))
    return ""
  }

  func text(_ value: SettingsValue, _ place: SettingsPlace, expected: String) -> String? {
    switch value.content {
    case .text(let text): return text
    case .number(let literal): return literal
    case .unresolved: return nil
    case .boolean:
      note(.wrongType(place, expected: expected, found: "\(value.found) (put quotes around it to mean the word)"))
      return nil
    default:
      note(.wrongType(place, expected: expected, found: value.found))
      return nil
    }
  }

  func complain<T>(_ key: String, _ expected: String, _ value: SettingsValue, _ standIn: T) -> T {
    if case .unresolved = value.content { return standIn }
    note(.wrongType(place(of: key), expected: expected, found: value.found))
    return standIn
  }

  func found(_ key: String) -> String { value(key)?.found ?? "nothing" }

  func place(of key: String, _ offset: Int, _ element: SettingsValue) -> SettingsPlace {
    SettingsPlace(file: place.file, line: element.line, keyPath: place(of: key).keyPath + "[\(offset)]")
  }

  private static func choice(_ words: [String]) -> String { "one of " + words.joined(separator: ", ") }

  /// Digits, optionally with a point and further digits; a leading sign is allowed.
  static func isDecimal(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }
}
