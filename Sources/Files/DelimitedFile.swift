/// A CSV file read row by row by the names of its columns, whatever their order.
///
/// A column that occurs twice yields its first cell that is not empty; a short row is filled up with empty cells, a row
/// with more cells than the header is refused alone. The content of columns that are not read is not examined, so
/// nothing in them can cause a refusal.
package final class DelimitedFile {
  /// The file's name without folders.
  package let name: String
  /// The columns that are read, in the order of the indices below.
  package let columns: [Column]
  /// Delivered columns that are not read, with their delivered names.
  package var unknownColumns: [String] { map.unknown }

  private let reader: CSVReader
  private let map: ColumnMap

  /// Opens the file and reads its header.
  ///
  /// - Parameter prelude: how many rows precede the header.
  /// - Throws: `FileRefusal` when the file cannot be read, is empty, or lacks a required column.
  package convenience init(path: String, columns: [Column], prelude: Int = 0) throws(FileRefusal) {
    let file: SourceFile
    do { file = try SourceFile(path: path) } catch {
      throw FileRefusal("\(error); see that the whole file was delivered, as CSV in UTF-8 with its header row")
    }
    try self.init(name: file.name, columns: columns, prelude: prelude) { try file.fill($0) }
  }

  /// Reads the header of a file that is in memory, as a download is.
  ///
  /// - Throws: `FileRefusal` when it is empty, or lacks a required column.
  package convenience init(name: String, bytes: [UInt8], columns: [Column], prelude: Int = 0) throws(FileRefusal) {
    var place = 0
    try self.init(name: name, columns: columns, prelude: prelude) { room in
      let count = min(room.count, bytes.count - place)
      bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<(place + count)])) }
      place += count
      return count
    }
  }

  private init(
    name: String, columns: [Column], prelude: Int, fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws(FileRefusal) {
    (self.name, self.columns) = (name, columns)
    do {
      reader = try CSVReader(fill: fill)
      map = try ColumnMap(header: Self.header(reader, after: prelude), columns)
    } catch let refusal as FileRefusal {
      throw refusal
    } catch {
      throw FileRefusal("\(error); see that the whole file was delivered, as CSV in UTF-8 with its header row")
    }
  }

  private static func header(_ reader: CSVReader, after prelude: Int) throws -> [String] {
    for _ in 0..<prelude { _ = try reader.next() }
    guard try reader.next() else { throw FileRefusal("the file is empty; deliver it again") }
    if reader.isCutOff {
      throw FileRefusal("the file ends within its header row; see that the whole file was delivered")
    }
    return (0..<reader.count).map { column in reader.text(column).map(CellText.cleaned) ?? "" }
  }

  /// Goes to the next row that is not blank; false at the end.
  ///
  /// - Throws: `FileRefusal` when reading on fails.
  package func next() throws(FileRefusal) -> Bool {
    do {
      guard try reader.next() else { return false }
    } catch {
      throw FileRefusal("row \(reader.number + 1) \(error)")
    }
    problem = reader.problem?.rawValue ?? problemOfCells()
    return true
  }

  /// The row's number as a spreadsheet shows it: the header is row 1.
  package var row: Int { reader.number }
  /// Why the row itself is refused; its cells must then not be used.
  package private(set) var problem: String?
  /// How many cells of the row are not read.
  package var unreadCells: Int { map.unknown.count }

  private func problemOfCells() -> String? {
    if reader.count > map.count { return "the row has \(reader.count) cells, the header \(map.count)" }
    if reader.count < map.count && reader.isCutOff {
      return "the file ends within the row; see that the whole file was delivered"
    }
    if let broken = columns.indices.first(where: { !isText($0) }) { return "\(columns[broken].key): is not UTF-8" }
    return nil
  }

  private func isText(_ column: Int) -> Bool {
    guard let place = place(of: column) else { return true }
    let bytes = reader.bytes(place)
    return bytes.allSatisfy { $0 < 0x80 } || reader.text(place) != nil
  }

  /// The position of a column's first cell in the row that is not empty.
  private func place(of column: Int) -> Int? {
    for place in map.places[column] where place < reader.count && !reader.bytes(place).isEmpty { return place }
    return nil
  }

  /// The text of a column in this row, trimmed; empty where there is none.
  ///
  /// - Parameter column: the column's index in `columns`.
  package func text(_ column: Int) -> String {
    place(of: column).flatMap(reader.text).map(CellText.cleaned) ?? ""
  }
}

/// Why a file is refused as a whole.
package struct FileRefusal: Error, Equatable, CustomStringConvertible {
  /// What was found, and what to do.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
