import Storage

/// A bulk load that adds two columns at the end of each row: its group, found by the identifiers among its values, and
/// the landed file that last changed it.
final class GroupedLoader: NewRowLoader {
  private let inner: any BulkLoader
  private let groups: RecordGroups
  private let file: Int64
  /// For each column, whether it identifies this record or another one: records that share an identifier are derived
  /// together.
  private let isIdentifier: [Bool]
  private var column = 0
  private var hashes: [Int64] = []

  static let columns = ["group_no", "changed_in"]

  init(_ inner: any BulkLoader, of table: StoreTable, _ groups: RecordGroups, file: Int64) {
    self.inner = inner
    self.file = file
    self.groups = groups
    let identifiers = Set(table.identifiers)
    isIdentifier = table.columns.map(identifiers.contains)
  }

  func append(integer: Int64) throws {
    column += 1
    try inner.append(integer: integer)
  }

  func append(text: String) throws {
    var text = text
    try text.withUTF8 { try append(utf8: UnsafeRawBufferPointer($0)) }
  }

  func append(utf8: UnsafeRawBufferPointer) throws {
    if column < isIdentifier.count, isIdentifier[column], !utf8.isEmpty { hashes.append(TextHash.identifier(utf8)) }
    column += 1
    try inner.append(utf8: utf8)
  }

  func appendNull() throws {
    column += 1
    try inner.appendNull()
  }

  func endRow() throws {
    try inner.append(integer: hashes.isEmpty ? 0 : groups.group(of: hashes))
    try inner.append(integer: file)
    column = 0
    hashes.removeAll(keepingCapacity: true)
    try inner.endRow()
  }

  func finish() throws -> Int { try inner.finish() }

  func flush() throws -> Int { try (inner as? any NewRowLoader)?.flush() ?? 0 }
}
