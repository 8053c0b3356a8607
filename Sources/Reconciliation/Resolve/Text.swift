import Foundation

/// A text of the store, compared and ordered by its bytes, as in both engines.
///
/// `String` compares by Unicode equivalence: two identifiers that a provider keeps distinct could become one.
struct Text: Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  /// Whether it begins with another text that is followed by `separator`.
  func isNamed(after other: Text, _ separator: Character) -> Bool {
    rest(after: other, separator) != nil
  }

  /// What follows another text and `separator`; nil where it does not begin with them.
  func rest(after other: Text, _ separator: Character) -> Text? {
    let bytes = string.utf8
    let prefix = other.string.utf8
    guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
    let place = bytes.index(bytes.startIndex, offsetBy: prefix.count)
    guard bytes[place] == separator.asciiValue else { return nil }
    return Text(String(string[bytes.index(after: place)...]))
  }

  /// Its ASCII letters in lower case, as the engines' `lower` writes them.
  var lowercased: Text {
    guard string.utf8.contains(where: { $0 >= 65 && $0 <= 90 }) else { return self }
    return Text(String(decoding: string.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }, as: UTF8.self))
  }
}

extension Text: Hashable {
  static func == (one: Text, other: Text) -> Bool {
    let isEqual = one.string.utf8.withContiguousStorageIfAvailable { a in
      other.string.utf8.withContiguousStorageIfAvailable { b in
        guard a.count == b.count, let left = a.baseAddress, let right = b.baseAddress else {
          return a.isEmpty && b.isEmpty
        }
        return memcmp(left, right, a.count) == 0
      }
    }
    return (isEqual ?? nil) ?? one.string.utf8.elementsEqual(other.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let isHashed: Void? = string.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { for byte in string.utf8 { hasher.combine(byte) } }
  }
}

extension Text: Comparable {
  static func < (one: Text, other: Text) -> Bool { one.string.utf8.lexicographicallyPrecedes(other.string.utf8) }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
  init(stringLiteral value: String) { string = value }
  var description: String { string }
}

/// The smaller and the larger of two optional values; a missing one is ignored, as in SQL's `min` and `max`.
enum Known {
  static func min<T: Comparable>(_ one: T?, _ other: T?) -> T? {
    guard let one, let other else { return one ?? other }
    return Swift.min(one, other)
  }

  static func max<T: Comparable>(_ one: T?, _ other: T?) -> T? {
    guard let one, let other else { return one ?? other }
    return Swift.max(one, other)
  }
}
