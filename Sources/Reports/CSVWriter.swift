import Cryptography
import Payments

/// A written file, as run.json lists it.
package struct WrittenFile: Sendable, Equatable {
  package let name: String
  /// The hash of the whole file, lowercase hex.
  package let sha256: String
  package let bytes: Int64
  /// Rows without the header; 0 for a file that is not a table.
  package let rows: Int64
}

/// Writes one CSV file: UTF-8, LF, RFC 4180, cell by cell in the order of its columns.
///
/// Cells are collected as bytes in one reused buffer; the hash is computed while writing (docs/contract.md section 4).
final class CSVWriter {
  private static let limit = 1 << 18
  private let name: String
  private let file: DurableFile
  private let columns: Int
  private var buffer = ByteBuffer(capacity: 4096)
  private var hash = SHA256()
  private var cell = 0
  private var rows: Int64 = 0
  private var bytes: Int64 = 0

  /// Creates `<folder>/<name>` and writes the header.
  init(folder: String, name: String, columns: [String], isFlushed: Bool = true) throws(ReportError) {
    self.name = name
    self.columns = columns.count
    file = try DurableFile(path: "\(folder)/\(name)", isFlushed: isFlushed)
    for var column in columns { column.withUTF8 { text(UnsafeRawBufferPointer($0)) } }
    endLine()
  }

  /// A text from others: quoted where RFC 4180 requires it, control characters as spaces, a `'` before what a
  /// spreadsheet would run.
  func text(_ bytes: UnsafeRawBufferPointer) {
    separate()
    var marks: UInt8 = 0
    let table = TextMarks.table
    for byte in bytes { marks |= table[Int(byte)] }
    let runs = TextMarks.isRun(bytes)
    guard marks != 0 || runs else { return buffer.append(bytes) }
    let isPlain = marks & ~TextMarks.runs == 0
    if isPlain && !runs { return buffer.append(bytes) }
    quoted(bytes, isQuoted: marks & TextMarks.quotes != 0, prefix: runs)
  }

  /// Minor units as an exact decimal.
  func amount(_ minor: Int64, digits: Int) {
    separate()
    buffer.append(decimal: minor, digits: digits)
  }

  func integer(_ value: Int64) {
    separate()
    buffer.append(decimal: value)
  }

  /// Parts of a million as a decimal fraction.
  func share(_ millionths: Int64) {
    separate()
    buffer.append(decimal: millionths, digits: 6)
  }

  /// Unix seconds as `2026-03-01T00:00:00Z`.
  func instant(_ seconds: Int64) {
    separate()
    let seconds = Instant.nearestWritable(seconds)
    let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let second = seconds - day * 86_400
    let date = CivilDate(dayNumber: day)
    figures(Int64(date.year), 4, then: "-")
    figures(Int64(date.month), 2, then: "-")
    figures(Int64(date.day), 2, then: "T")
    figures(second / 3600, 2, then: ":")
    figures(second / 60 % 60, 2, then: ":")
    figures(second % 60, 2, then: "Z")
  }

  func blank() { separate() }

  func endRow() throws(ReportError) {
    rows += 1
    endLine()
    if buffer.count >= Self.limit { try drain() }
  }

  /// Flushes the file to the disk.
  func finish() throws(ReportError) -> WrittenFile {
    try drain()
    try file.finish()
    return WrittenFile(name: name, sha256: hash.finalize().hexadecimal, bytes: bytes, rows: rows)
  }

  private func separate() {
    if cell > 0 { buffer.append(UInt8(ascii: ",")) }
    cell += 1
  }

  private func endLine() {
    assert(cell == columns, "a row of \(cell) cells in a table of \(columns)")
    buffer.append(UInt8(ascii: "\n"))
    cell = 0
  }

  private func quoted(_ bytes: UnsafeRawBufferPointer, isQuoted: Bool, prefix: Bool) {
    if isQuoted { buffer.append(TextMarks.quote) }
    if prefix { buffer.append(UInt8(ascii: "'")) }
    TextMarks.withoutControls(bytes) { byte in
      if byte == TextMarks.quote { buffer.append(byte) }
      buffer.append(byte)
    }
    if isQuoted { buffer.append(TextMarks.quote) }
  }

  private func figures(_ value: Int64, _ count: Int, then separator: Unicode.Scalar) {
    var divisor: Int64 = count == 4 ? 1000 : 10
    while divisor > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
    buffer.append(UInt8(ascii: separator))
  }

  private func drain() throws(ReportError) {
    hash.update(buffer.bytes)
    try file.write(buffer.bytes)
    bytes += Int64(buffer.count)
    buffer.removeAll()
  }
}
