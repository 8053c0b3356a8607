import Cryptography

/// The id of a connected account as part of a file name: safe on every file system, and unique even where upper and
/// lower case are the same (Stripe's ids may differ in case alone).
///
/// `acct_1QzWv` is `acct_1QzWv~0a`. Letters, digits, `_` and `-` are unchanged, any other byte is `%` and two
/// hexadecimal digits. After `~` one bit for each letter marks the capitals, so that the id can be read back from the
/// name in either case.
package enum AccountName {
  /// The length of the longest name; a longer one is cut and followed by the SHA-256 of the id, and the list of
  /// statements names the account.
  static let longest = 180

  package static func text(_ id: String) -> String {
    var name = ""
    var marks: [Bool] = []
    for byte in id.utf8 {
      if isPlain(byte) {
        name.unicodeScalars.append(UnicodeScalar(byte))
        if isLetter(byte) { marks.append(byte < 97) }
      } else {
        name += "%" + Hexadecimal.text([byte])
      }
    }
    let whole = marks.contains(true) ? "\(name)~\(text(marks))" : name
    return whole.utf8.count <= longest ? whole : "\(name.prefix(60))~~\(SHA256.hash(id.utf8).hexadecimal)"
  }

  /// The id of a name, whatever the name's case; nil if it is not such a name, or contains only the hash of an id.
  package static func id(_ name: String) -> String? {
    let parts = name.lowercased().split(separator: "~", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let marks = marks(parts.count == 2 ? parts[1] : "") else { return nil }
    var bytes: [UInt8] = []
    var letters = 0
    var rest = Array(parts[0].utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if isLetter(byte) {
        bytes.append(letters < marks.count && marks[letters] ? byte - 32 : byte)
        letters += 1
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// One hexadecimal digit for every four letters, the first letter in its highest bit.
  private static func text(_ marks: [Bool]) -> String {
    stride(from: 0, to: marks.count, by: 4).map { start in
      let value = (0..<4).reduce(0) { $0 << 1 | (start + $1 < marks.count && marks[start + $1] ? 1 : 0) }
      return String(value, radix: 16)
    }.joined()
  }

  private static func marks(_ text: Substring) -> [Bool]? {
    var marks: [Bool] = []
    for figure in text {
      guard let value = figure.hexDigitValue else { return nil }
      marks += [8, 4, 2, 1].map { value & $0 != 0 }
    }
    return marks
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    isLetter(byte) || (48...57).contains(byte) || byte == 45 || byte == 95
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
