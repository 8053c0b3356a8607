import Storage

/// Reads a text column row by row; a text that equals the previous one is reused.
final class TextColumn {
  private var last: Text = ""

  /// Nil where it is null.
  func read(_ row: any Row, _ column: Int) -> Text? {
    row.withUTF8Text(column) { bytes in
      if last.string.utf8.count != bytes.count || !last.string.utf8.elementsEqual(bytes) {
        last = Text(String(decoding: bytes, as: UTF8.self))
      }
      return last
    }
  }
}

/// Reads a column with few distinct values as the cases of an enumeration.
final class WordColumn<Word: RawRepresentable<String>> {
  private var words: [(text: String, word: Word)] = []
  private let table: String

  init(of table: LandedTable) { self.table = table.name }

  /// Nil where it is null.
  ///
  /// - Throws: `LoadError.unknownWord`.
  func read(_ row: any Row, _ column: Int) throws -> Word? {
    try row.withUTF8Text(column) { bytes in
      for known in words where known.text.utf8.count == bytes.count && known.text.utf8.elementsEqual(bytes) {
        return known.word
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let word = Word(rawValue: text) else {
        throw LoadError.unknownWord(text, column: row.names[column], table: table)
      }
      words.append((text, word))
      return word
    }
  }

  /// - Throws: `LoadError.unknownWord`, for null too.
  func required(_ row: any Row, _ column: Int) throws -> Word {
    guard let word = try read(row, column) else {
      throw LoadError.unknownWord("null", column: row.names[column], table: table)
    }
    return word
  }
}

extension Row {
  func value(_ column: Int) -> Text? { text(column).map { Text($0) } }

  /// A text column that is never null.
  func key(_ column: Int) -> Text { value(column) ?? "" }

  /// A number column that is never null.
  func number(_ column: Int) throws -> Int64 { try integer(column) ?? 0 }

  func flag(_ column: Int) throws -> Bool { try integer(column) == 1 }
}

/// Why the landed records could not be read from the store.
enum LoadError: Error, CustomStringConvertible {
  case unknownWord(String, column: String, table: String)

  var description: String {
    switch self {
    case .unknownWord(let word, let column, let table):
      "\(table).\(column): found \"\(word.prefix(40))\", unknown here; `crossfoot rebuild` makes the store again"
    }
  }
}
