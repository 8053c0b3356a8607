/// A cell that lists identifiers separated by spaces. An identifier may contain spaces and colons itself (`# 1001`), so
/// any run of words may be one.
package enum IdentifierList {
  /// Up to so many words all runs are named, beyond it those of at most `longestRun` words, and the whole.
  private static let mostWords = 40
  private static let longestRun = 8

  /// Every text that can be an identifier of the list: the whole, and each run of its words.
  ///
  /// - Parameter splitsAtColons: whether a run may also begin or end at a colon, as in `provider:id`.
  package static func names(in text: String, splitsAtColons: Bool = false) -> Set<String> {
    let words = text.split { $0 == " " || splitsAtColons && $0 == ":" }
    guard !words.isEmpty else { return [] }
    var names: Set<String> = [text]
    let longest = words.count <= mostWords ? words.count : longestRun
    for first in words.indices {
      for last in first..<min(first + longest, words.count) {
        names.insert(String(text[words[first].startIndex..<words[last].endIndex]))
      }
    }
    return names
  }
}
