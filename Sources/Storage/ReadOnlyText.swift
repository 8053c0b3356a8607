/// The words of a statement outside comments and quotes, each with its line: enough to see that it is one statement and
/// begins as a query.
///
/// The engines decide whether it writes; this finds the line for the message.
struct ReadOnlyText {
  private(set) var words: [(text: String, line: Int, isCall: Bool)] = []
  /// The line on which a second statement begins.
  private(set) var secondLine: Int?

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var isEnded = false
  /// The number of bytes before the semicolon that ends it.
  private var end: Int?

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    while index < bytes.count { step() }
  }

  /// - Throws: `StorageError.notReadOnly` for a second statement, one that is not a query, and functions that reach
  ///   beyond the tables.
  static func check(_ sql: String) throws {
    let text = ReadOnlyText(sql)
    guard let first = text.words.first else { throw StorageError.notReadOnly(found: "nothing", line: 1) }
    if verbs.contains(first.text) { throw StorageError.notReadOnly(found: first.text, line: first.line) }
    if let line = text.secondLine { throw StorageError.notReadOnly(found: "a second statement", line: line) }
    if let call = text.words.first(where: { $0.isCall && reachesOut($0.text) }) {
      throw StorageError.notReadOnly(found: "\(call.text)()", line: call.line)
    }
  }

  /// The statement without its trailing semicolon, so that it can be put in parentheses.
  static func withoutEnd(_ sql: String) -> String {
    let text = ReadOnlyText(sql)
    return text.end.map { String(decoding: text.bytes[..<$0], as: UTF8.self) } ?? sql
  }

  /// The line of the first of these words; nil where none of them occurs.
  static func line(ofAny words: [String], in sql: String) -> Int? {
    ReadOnlyText(sql).words.first { words.contains($0.text) }?.line
  }

  /// First words of statements that are not queries; any other wrong word is refused by the engine.
  private static let verbs: Set<String> = [
    "alter", "analyze", "attach", "begin", "call", "commit", "copy", "create", "deallocate", "declare", "delete",
    "detach", "discard", "do", "drop",
    "end", "execute", "explain", "fetch", "grant", "insert", "listen", "load", "lock", "merge", "notify", "pragma",
    "prepare", "refresh", "reindex",
    "release", "replace", "reset", "revoke", "rollback", "savepoint", "set", "start", "truncate", "unlisten", "update",
    "vacuum",
  ]

  /// Functions that access files, other servers, other sessions, locks or settings.
  private static func reachesOut(_ name: String) -> Bool {
    ["pg_", "lo_", "dblink"].contains(where: name.hasPrefix)
      || ["set_config", "load_extension", "readfile", "writefile", "edit", "nextval", "setval", "query_to_xml"]
        .contains(name)
  }

  private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

  private mutating func step() {
    switch bytes[index] {
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip { $0 == 0x0A }
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipBlock()
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skipQuoted(bytes[index])
    case UInt8(ascii: "["): skipQuoted(UInt8(ascii: "]"))
    case UInt8(ascii: ";"):
      isEnded = true
      end = end ?? index
      index += 1
    case 0x0A:
      line += 1
      index += 1
    case let byte where byte <= 0x20: index += 1
    case let byte where Self.beginsWord(byte): takeWord()
    default:
      noteSecond()
      index += 1
    }
  }

  private mutating func noteSecond() { if isEnded, secondLine == nil { secondLine = line } }

  private static func beginsWord(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte >= 0x80
  }

  private mutating func takeWord() {
    noteSecond()
    let start = index
    while index < bytes.count, Self.beginsWord(bytes[index]) || (48...57).contains(bytes[index]) || bytes[index] == 36 {
      index += 1
    }
    let isCall = bytes[index...].first { $0 > 0x20 } == UInt8(ascii: "(")
    words.append((String(decoding: bytes[start..<index], as: UTF8.self).lowercased(), line, isCall))
  }

  private mutating func skip(until isEnd: (UInt8) -> Bool) {
    while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
  }

  private mutating func skipBlock() {
    index += 2
    while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && next == UInt8(ascii: "/")) {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
    index += 2
  }

  private mutating func skipQuoted(_ end: UInt8) {
    noteSecond()
    index += 1
    while index < bytes.count, bytes[index] != end {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
    index += 1
  }
}
