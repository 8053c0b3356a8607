/// Texts of a report as a sheet and the terminal show them to people; files contain the exact texts.
package enum Prose {
  /// `1158.00 USD` becomes `1,158.00 USD`, and `2026-03-04T04:00:00Z` becomes `2026-03-04 04:00 UTC`.
  package static func text(_ text: String) -> String {
    guard text.utf8.contains(where: { (48...57).contains($0) }) else { return text }
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    for index in words.indices {
      if index + 1 < words.count, isCurrency(words[index + 1]) { words[index] = grouped(words[index]) }
      words[index] = dated(words[index])
    }
    return words.joined(separator: " ")
  }

  /// A word of a list as a title: `duplicate_payment` becomes `Duplicate payment`.
  static func title(_ word: String) -> String {
    let words = word.split(separator: "_").map { $0 == "fx" ? "FX" : String($0) }
    let text = words.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Three capital letters, whatever punctuation follows.
  private static func isCurrency(_ word: String) -> Bool {
    let letters = word.utf8.prefix { (65...90).contains($0) }
    return letters.count == 3 && word.utf8.dropFirst(3).allSatisfy { ",.;:)".utf8.contains($0) }
  }

  /// An amount with thousands separators; anything else unchanged.
  private static func grouped(_ word: String) -> String {
    let before = word.prefix { "(-".contains($0) }
    let rest = word.dropFirst(before.count)
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, whole.utf8.count > 3,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return word }
    var groups: [Substring] = []
    var left = whole
    while !left.isEmpty {
      groups.insert(left.suffix(3), at: 0)
      left = left.dropLast(3)
    }
    return before + groups.joined(separator: ",") + rest.dropFirst(whole.count)
  }

  /// An RFC 3339 instant as a day and a time of day in UTC; anything else unchanged.
  private static func dated(_ word: String) -> String {
    let before = word.prefix { $0 == "(" }
    let rest = word.dropFirst(before.count)
    let bytes = Array(rest.utf8.prefix(20))
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return word }
    for (byte, expected) in zip(bytes, pattern) {
      guard expected == 48 ? (48...57).contains(byte) : byte == expected else { return word }
    }
    return before + String(decoding: bytes[..<10], as: UTF8.self) + " "
      + String(decoding: bytes[11..<16], as: UTF8.self) + " UTC"
      + rest.dropFirst(20)
  }
}
