import CZip
import Foundation
import Payments

/// Puts the rows of the sheets into the archive that the library made without them.
///
/// A sheet's part then consists of three deflated pieces: what comes before its rows, the rows as they were compressed
/// while they were written, and what comes after them.
final class WorkbookArchive {
  /// 1980-01-01, the earliest date of the format and the one that the library gives its own parts.
  private static let date: UInt16 = 0x21
  /// The end of every sheet's part.
  private static let ending = "</worksheet>"
  private let path: String
  private let archive: OpaquePointer
  private var isClosed = false

  /// - Throws: `ReportError` where the file is not an archive.
  init(path: String) throws(ReportError) {
    self.path = path
    var code: Int32 = 0
    guard let archive = zip_open(path, 0, &code) else {
      throw isDiskFull(path) ? .diskFull(path: path) : .workbook(place: path, reason: "libzip error \(code)")
    }
    self.archive = archive
  }

  deinit { if !isClosed { zip_discard(archive) } }

  /// Gives `xl/worksheets/sheet<number>.xml` its rows, and the references to its tables.
  ///
  /// - Parameter tables: Their numbers in the workbook.
  func insert(_ rows: CompressedPart, sheet number: Int, tables: Range<Int> = 0..<0, directory: String)
    throws(ReportError)
  {
    let name = "xl/worksheets/sheet\(number).xml"
    var (before, behind) = try halves(of: name)
    behind.insert(contentsOf: Self.element(naming: tables).utf8, at: behind.count - Self.ending.utf8.count)
    let pieces = [CompressedPart(directory: directory), rows, CompressedPart(directory: directory)]
    try pieces[0].append(before, .another)
    try rows.append([], .another)
    try pieces[2].append(behind, .nothing)
    let index = zip_name_locate(archive, name, 0)
    let source = PartSource(pieces)
    guard index >= 0, let handle = source.handle(in: archive) else { throw failure(name) }
    guard zip_file_replace(archive, UInt64(index), handle, 0) == 0 else {
      zip_source_free(handle)
      throw failure(name)
    }
    guard zip_set_file_compression(archive, UInt64(index), ZIP_CM_DEFLATE, 0) == 0,
      zip_file_set_dostime(archive, UInt64(index), 0, Self.date, 0) == 0
    else { throw failure(name) }
  }

  /// Sets the workbook's date of creation.
  ///
  /// The library gets the date from `gmtime`, whose single buffer another thread may overwrite at the same time.
  func setDate(_ createdAt: Int64) throws(ReportError) {
    let name = "docProps/core.xml"
    let text = String(decoding: try content(of: name), as: UTF8.self)
    let dated = text.replacing(/>[0-9T:-]+Z</) { _ in ">\(Instant.text(createdAt))<" }
    try put(name, dated)
  }

  /// Writes a small part, replacing the one of that name or adding a new one.
  func put(_ name: String, _ text: String) throws(ReportError) {
    let bytes = Array(text.utf8)
    guard let copy = malloc(bytes.count) else { throw failure(name) }
    copy.copyMemory(from: bytes, byteCount: bytes.count)
    guard let source = zip_source_buffer(archive, copy, UInt64(bytes.count), 1) else {
      free(copy)
      throw failure(name)
    }
    let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_OVERWRITE))
    guard index >= 0 else {
      zip_source_free(source)
      throw failure(name)
    }
    guard zip_file_set_dostime(archive, UInt64(index), 0, Self.date, 0) == 0 else { throw failure(name) }
  }

  /// A part's text as the library wrote it; nil where there is no such part.
  func text(of name: String) throws(ReportError) -> String? {
    zip_name_locate(archive, name, 0) < 0 ? nil : String(decoding: try content(of: name), as: UTF8.self)
  }

  /// Writes the archive again, replacing the former file.
  ///
  /// - Throws: `ReportError`; the file is then unchanged.
  func close() throws(ReportError) {
    guard zip_close(archive) == 0 else { throw failure((path as NSString).lastPathComponent) }
    isClosed = true
  }

  /// A sheet's XML before and after its rows.
  private func halves(of name: String) throws(ReportError) -> (before: [UInt8], behind: [UInt8]) {
    let text = try content(of: name)
    let marks = (opening: Array("<sheetData>".utf8), closing: Array("</sheetData>".utf8))
    guard text.suffix(Self.ending.utf8.count).elementsEqual(Self.ending.utf8),
      let place = text.firstRange(of: marks.opening + marks.closing)
    else {
      // The library copies its own temporary files without checking the result.
      throw isDiskFull(path) ? .diskFull(path: path) : .workbook(place: name, reason: "it has no place for its rows")
    }
    let middle = place.lowerBound + marks.opening.count
    return (Array(text[..<middle]), Array(text[middle...]))
  }

  private func content(of name: String) throws(ReportError) -> [UInt8] {
    var status = zip_stat_t()
    zip_stat_init(&status)
    guard zip_stat(archive, name, 0, &status) == 0, let file = zip_fopen(archive, name, 0) else { throw failure(name) }
    defer { zip_fclose(file) }
    var text = [UInt8](repeating: 0, count: Int(status.size))
    guard zip_fread(file, &text, status.size) == Int64(status.size) else { throw failure(name) }
    return text
  }

  private func failure(_ place: String) -> ReportError {
    isDiskFull(path) ? .diskFull(path: path) : .workbook(place: place, reason: String(cString: zip_strerror(archive)))
  }
}

/// Deflated pieces for libzip to read: one after the other, as the content of one part.
private final class PartSource {
  private let pieces: [CompressedPart]
  private var piece = 0
  private var offset: UInt64 = 0
  private var error = zip_error_t()

  init(_ pieces: [CompressedPart]) {
    self.pieces = pieces
    zip_error_init(&error)
  }

  /// libzip retains the source until it releases it.
  func handle(in archive: OpaquePointer) -> OpaquePointer? {
    let state = Unmanaged.passRetained(self)
    let handle = zip_source_function(
      archive,
      { state, data, length, command in
        PartSource.answer(state, command, UnsafeMutableRawBufferPointer(start: data, count: Int(length)))
      }, state.toOpaque())
    if handle == nil { state.release() }
    return handle
  }

  private static func answer(
    _ state: UnsafeMutableRawPointer?, _ command: zip_source_cmd_t, _ data: UnsafeMutableRawBufferPointer
  ) -> Int64 {
    guard let state else { return -1 }
    let source = Unmanaged<PartSource>.fromOpaque(state)
    if command == ZIP_SOURCE_FREE {
      source.release()
      return 0
    }
    return source.takeUnretainedValue().answer(command, data)
  }

  private func answer(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawBufferPointer) -> Int64 {
    switch command {
    case ZIP_SOURCE_OPEN:
      (piece, offset) = (0, 0)
      return 0
    case ZIP_SOURCE_READ: return read(into: data)
    case ZIP_SOURCE_CLOSE: return 0
    case ZIP_SOURCE_STAT: return describe(to: data)
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&error, data.baseAddress, UInt64(data.count))
    case ZIP_SOURCE_SUPPORTS: return Self.commands
    default:
      zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
      return -1
    }
  }

  private static let commands: Int64 = [
    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
    ZIP_SOURCE_SUPPORTS,
  ].reduce(0) { $0 | 1 << Int64($1.rawValue) }

  private func read(into data: UnsafeMutableRawBufferPointer) -> Int64 {
    while piece < pieces.count {
      guard let count = try? pieces[piece].read(at: offset, into: data) else {
        zip_error_set(&error, ZIP_ER_READ, errno)
        return -1
      }
      offset += UInt64(count)
      if count > 0 { return Int64(count) }
      (piece, offset) = (piece + 1, 0)
    }
    return 0
  }

  private func describe(to data: UnsafeMutableRawBufferPointer) -> Int64 {
    var status = zip_stat_t()
    zip_stat_init(&status)
    status.valid = UInt64(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC)
    status.size = pieces.reduce(0) { $0 + $1.size }
    status.comp_size = pieces.reduce(0) { $0 + $1.compressedSize }
    status.comp_method = UInt16(ZIP_CM_DEFLATE)
    status.crc = CompressedPart.crc(of: pieces)
    guard data.count >= MemoryLayout<zip_stat_t>.size else { return -1 }
    data.storeBytes(of: status, as: zip_stat_t.self)
    return Int64(MemoryLayout<zip_stat_t>.size)
  }
}
