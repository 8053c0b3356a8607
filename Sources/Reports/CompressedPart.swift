import CZlib

/// Bytes of a part of the workbook, compressed as they arrive: in memory at first, then in an unnamed file.
final class CompressedPart {
  private static let mostInMemory = 1 << 20
  private let directory: String
  private lazy var deflater = Deflater()
  private var memory: [UInt8] = []
  private var file: UnnamedFile?
  /// The CRC of the uncompressed bytes.
  private(set) var crc: UInt32 = 0
  private(set) var size: UInt64 = 0
  private(set) var compressedSize: UInt64 = 0

  /// - Parameter directory: The folder of the file, once it is needed.
  init(directory: String) { self.directory = directory }

  /// - Throws: `ReportError.diskFull` where the disk is full.
  func append(_ bytes: UnsafeRawBufferPointer, _ ending: Deflater.Ending = .more) throws(ReportError) {
    if !bytes.isEmpty {
      crc = UInt32(
        truncatingIfNeeded: crc32(UInt(crc), bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count)))
    }
    size += UInt64(bytes.count)
    try deflater.compress(bytes, ending) { piece throws(ReportError) in try store(piece) }
  }

  func append(_ bytes: [UInt8], _ ending: Deflater.Ending) throws(ReportError) {
    var result: Result<Void, ReportError> = .success(())
    bytes.withUnsafeBytes { bytes in result = Result { () throws(ReportError) in try append(bytes, ending) } }
    try result.get()
  }

  /// Fills the buffer with compressed bytes from `offset` on; 0 at the end.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ReportError) -> Int {
    if let file { return try file.read(at: offset, into: buffer) }
    let count = min(buffer.count, memory.count - Int(offset))
    memory.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
    }
    return count
  }

  private func store(_ piece: UnsafeRawBufferPointer) throws(ReportError) {
    compressedSize += UInt64(piece.count)
    if let file { return try file.write(piece) }
    memory.append(contentsOf: piece)
    guard memory.count > Self.mostInMemory else { return }
    let file = try UnnamedFile(in: directory)
    var result: Result<Void, ReportError> = .success(())
    memory.withUnsafeBytes { bytes in result = Result { () throws(ReportError) in try file.write(bytes) } }
    try result.get()
    self.file = file
    memory = []
  }
}

extension CompressedPart {
  /// The CRC-32 of the bytes of several parts, one after the other.
  static func crc(of parts: [CompressedPart]) -> UInt32 {
    UInt32(truncatingIfNeeded: parts.reduce(UInt(0)) { crc32_combine($0, UInt($1.crc), Int($1.size)) })
  }
}
