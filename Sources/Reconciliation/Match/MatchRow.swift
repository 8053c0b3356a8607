import Storage

/// The positions of records by the handles of their ids.
struct Places: Sendable {
  private var places: [Int32] = []

  init() {}

  init(of texts: [TextID]) {
    places = Array(repeating: -1, count: texts.reduce(0) { max($0, Int($1.index) + 1) })
    for (place, text) in texts.enumerated() { places[Int(text.index)] = Int32(place) }
  }

  subscript(_ text: TextID) -> Int32? {
    guard Int(text.index) < places.count, places[Int(text.index)] >= 0 else { return nil }
    return places[Int(text.index)]
  }
}

extension Row {
  /// An integer column that the schema declares not null.
  func required(_ column: Int) throws -> Int64 { try integer(column) ?? 0 }

  /// A short code, such as a currency or a status.
  func word(_ column: Int) -> String { text(column) ?? "" }
}

extension TextPool {
  /// The handle of a row's text; of the empty text where it is null.
  mutating func intern(_ row: any Row, _ column: Int) -> TextID {
    if let text = optional(row, column) { return text }
    return intern("")
  }

  /// The handle of a row's text; nil where it is null.
  mutating func optional(_ row: any Row, _ column: Int) -> TextID? { row.withUTF8Text(column) { intern($0) } }

  /// The handle of a row's text where it was added before.
  func find(_ row: any Row, _ column: Int) -> TextID? { row.withUTF8Text(column) { find($0) } ?? nil }

  /// The handle of a text's lower-case form (A to Z only, as with both engines' `lower`) where it was added before; nil
  /// for a text without capitals.
  func findLowercased(_ text: UnsafeRawBufferPointer) -> TextID? {
    guard text.contains(where: { (65...90).contains($0) }) else { return nil }
    return text.map { (65...90).contains($0) ? $0 + 32 : $0 }.withUnsafeBytes { find($0) }
  }
}

extension MatchInputs {
  /// The position of the order that a row names; nil where there is none.
  func orderPlace(_ row: any Row, _ column: Int) -> Int32? { texts.find(row, column).flatMap { orderPlaces[$0] } }

  /// Whether a row's text is an init hash that contains capitals.
  func isInitHashInCapitals(_ row: any Row, _ column: Int) -> Bool {
    guard !initHashes.isEmpty else { return false }
    return row.withUTF8Text(column) { texts.findLowercased($0).map { initHashes[$0] != nil } ?? false } ?? false
  }
}
