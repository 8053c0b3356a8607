/// The words of a statement outside comments and quotes, each with its line: enough to see that it is one statement and
/// begins as a query.
///
/// The engines decide whether it writes; this finds the line for the message.
struct ReadOnlyText {
  private(set) var words: [(text: String, line: Int, isCall: Bool)] = []
  /// The first word that reads the clock, the machine's time zone or a random number.
  private var moving: (text: String, line: Int)?
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

  /// - Throws: `StorageError.notReadOnly` for a second statement, one that is not a query, functions that reach beyond
  ///   the tables, and what gives another answer tomorrow or on another machine: a sealed period is derived again.
  static func check(_ sql: String) throws {
    let text = ReadOnlyText(sql)
    guard let first = text.words.first else { throw StorageError.notReadOnly(found: "nothing", line: 1) }
    if verbs.contains(first.text) { throw StorageError.notReadOnly(found: first.text, line: first.line) }
    if let line = text.secondLine { throw StorageError.notReadOnly(found: "a second statement", line: line) }
    if let call = text.words.first(where: { $0.isCall && reachesOut($0.text) }) {
      throw StorageError.notReadOnly(found: "\(call.text)()", line: call.line)
    }
    if let moving = text.moving {
      let found = "\(moving.text), which answers differently at another time (the range ends at moment.instant)"
      throw StorageError.notReadOnly(found: found, line: moving.line)
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

  /// Words that read the clock without parentheses.
  private static let clocks: Set<String> = [
    "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp",
  ]

  /// Functions that read the clock or a random number.
  private static let movingCalls: Set<String> = [
    "now", "clock_timestamp", "statement_timestamp", "transaction_timestamp", "timeofday", "random", "randomblob",
    "random_normal", "gen_random_uuid", "uuidv4", "uuidv7", "setseed", "localtime",
  ]

  /// SQLite's functions of time, with the arguments that they need so as not to read the clock.
  private static let timed = [
    "date": 1, "time": 1, "datetime": 1, "julianday": 1, "unixepoch": 1, "strftime": 2,
  ]

  /// Whether the call whose name ends here has fewer arguments; looks no further than it has to.
  private func call(at end: Int, hasFewerThan needed: Int) -> Bool {
    guard var place = bytes[end...].firstIndex(where: { $0 > 0x20 }) else { return false }
    var (depth, commas, isEmpty) = (0, 0, true)
    var quote: UInt8?
    while place < bytes.count, isEmpty || commas + 1 < needed {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        (quote, isEmpty) = (byte, false)
      } else if byte == UInt8(ascii: "(") {
        if depth > 0 { isEmpty = false }
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { break }
      } else if byte == UInt8(ascii: ","), depth == 1 {
        commas += 1
      } else if byte > 0x20 {
        isEmpty = false
      }
      place += 1
    }
    return isEmpty || commas + 1 < needed
  }

  private mutating func note(moving text: String) { if moving == nil { moving = (text, line) } }

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
    let word = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    words.append((word, line, isCall))
    if Self.clocks.contains(word) {
      note(moving: word)
    } else if isCall,
      Self.movingCalls.contains(word)
        || Self.timed[word].map({ call(at: index, hasFewerThan: $0) }) ?? false
    {
      note(moving: "\(word)()")
    }
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
    let start = index
    while index < bytes.count, bytes[index] != end {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
    if end == UInt8(ascii: "'") {
      let text = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
      if text == "now" || text == "localtime" { note(moving: "'\(text)'") }
    }
    index += 1
  }
}
