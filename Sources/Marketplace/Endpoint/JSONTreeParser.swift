/// Reads JSON text into a tree: made for hand-written scenario objects, where clarity counts and speed does not.
struct JSONTreeParser {
  private let bytes: [UInt8]
  private var at = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The one value that the text holds.
  ///
  /// - Throws: `MarketplaceError.notJSON` with the byte offset.
  static func parse(_ text: String) throws -> JSONTree {
    var parser = JSONTreeParser(text)
    let value = try parser.value()
    parser.skipBlanks()
    guard parser.at == parser.bytes.count else { throw parser.failure("more after the end of the value") }
    return value
  }

  private mutating func value() throws -> JSONTree {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object() throws -> JSONTree {
    var members: [JSONTree.Member] = []
    at += 1
    skipBlanks()
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      let name = try string()
      skipBlanks()
      guard take(":") else { throw failure("expected a colon") }
      members.append(JSONTree.Member(name, try value()))
      skipBlanks()
    } while take(",")
    guard take("}") else { throw failure("expected a comma or a closing brace") }
    return .object(members)
  }

  private mutating func array() throws -> JSONTree {
    var elements: [JSONTree] = []
    at += 1
    skipBlanks()
    if take("]") { return .array([]) }
    repeat {
      elements.append(try value())
      skipBlanks()
    } while take(",")
    guard take("]") else { throw failure("expected a comma or a closing bracket") }
    return .array(elements)
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw failure("expected a string") }
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      at += 1
      if byte == UInt8(ascii: "\\") {
        text += Array(String(try escape()).utf8)
      } else {
        text.append(byte)
      }
    }
    guard take("\"") else { throw failure("a string without an end") }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape() throws -> Character {
    guard let byte = peek else { throw failure("an escape without an end") }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: return Character(Unicode.Scalar(byte))
    }
  }

  private mutating func unicodeEscape() throws -> Character {
    var unit = try hexadecimal()
    if unit & 0xFC00 == 0xD800, take("\\"), take("u") {
      unit = 0x10000 + (unit & 0x3FF) << 10 + (try hexadecimal() & 0x3FF)
    }
    return Character(Unicode.Scalar(unit) ?? "\u{FFFD}")
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = bytes[at..<min(at + 4, bytes.count)]
    guard let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw failure("expected four hexadecimal digits")
    }
    at += 4
    return unit
  }

  private mutating func number() throws -> JSONTree {
    let start = at
    while let byte = peek, "+-.0123456789eE".utf8.contains(byte) { at += 1 }
    guard at > start else { throw failure("expected a value") }
    return .number(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private mutating func word(_ word: String, _ value: JSONTree) throws -> JSONTree {
    guard bytes[at...].starts(with: word.utf8) else { throw failure("expected \(word)") }
    at += word.utf8.count
    return value
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    at += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { at += 1 }
  }

  private func failure(_ reason: String) -> MarketplaceError {
    .notJSON(offset: at, reason: reason)
  }
}
