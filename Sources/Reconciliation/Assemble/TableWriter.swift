import Storage

/// Writes rows into a derived table, value by value; joined texts are written without building strings.
final class TableWriter {
  private let loader: any BulkLoader
  private var bytes: [UInt8] = []

  init(_ table: DerivedTable, in database: any Database, replacing keys: [String] = []) throws {
    loader = try database.bulkLoader(into: table.name, columns: table.columns, replacing: keys)
  }

  func add(_ text: Text) throws { try loader.append(text: text.string) }

  func add(_ text: Text?) throws {
    if let text { try loader.append(text: text.string) } else { try loader.appendNull() }
  }

  func add(_ number: Int64) throws { try loader.append(integer: number) }
  func add(_ number: Int64?) throws { try loader.append(integer: number) }
  func add(_ number: Int) throws { try loader.append(integer: Int64(number)) }
  func add(_ flag: Bool) throws { try loader.append(integer: flag ? 1 : 0) }
  func add(_ sum: CheckedSum) throws { try loader.append(integer: sum.minor) }
  func add(word: some RawRepresentable<String>) throws { try loader.append(text: word.rawValue) }

  /// Texts separated by colons.
  func add(joined texts: Text...) throws {
    bytes.removeAll(keepingCapacity: true)
    for text in texts {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ":")) }
      bytes.append(contentsOf: text.string.utf8)
    }
    try bytes.withUnsafeBytes { try loader.append(utf8: $0) }
  }

  func addNull() throws { try loader.appendNull() }
  func endRow() throws { try loader.endRow() }
  func finish() throws { _ = try loader.finish() }
}
