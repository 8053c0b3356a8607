import CZip

/// The parts of a workbook's file, read as streams and within limits: a file that decompresses to more is refused.
final class ZipArchive {
  /// The maximum decompressed size of all parts read, and the maximum compression ratio of a part.
  static let mostBytes: UInt64 = 512 << 20
  static let mostRatio: UInt64 = 400
  private static let mostEntries: Int64 = 10_000

  private let archive: OpaquePointer
  private let name: String
  private var read: UInt64 = 0

  /// - Throws: `SheetError` when it is no zip file.
  init(path: String, name: String) throws(SheetError) {
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw SheetError("\(name) is no workbook that can be read; save it as .xlsx, without a password")
    }
    self.archive = archive
    self.name = name
    guard zip_get_num_entries(archive, 0) <= Self.mostEntries else {
      throw SheetError("\(name) holds more parts than a workbook has; it is not read")
    }
  }

  deinit { zip_discard(archive) }

  /// Passes on a part piece by piece; false where it does not exist.
  ///
  /// - Parameter limit: the maximum decompressed size of this part, bytes.
  /// - Throws: `SheetError` when it is damaged or exceeds a limit, or what `body` throws.
  func part(
    _ path: String, atMost limit: UInt64 = ZipArchive.mostBytes, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    var status = zip_stat_t()
    zip_stat_init(&status)
    guard zip_stat(archive, path, 0, &status) == 0 else { return false }
    try refuseBomb(status, path)
    guard let file = zip_fopen(archive, path, 0) else {
      throw SheetError("\(name): the part \(path) cannot be read; save the workbook again")
    }
    defer { zip_fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let end = min(Self.mostBytes, read + limit)
    while true {
      let count = zip_fread(file, &buffer, UInt64(buffer.count))
      if count == 0 { return true }
      guard count > 0 else { throw SheetError("\(name): the part \(path) is damaged; save the workbook again") }
      read += UInt64(count)
      guard read <= end else { throw tooLarge(path) }
      try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(Int(count)))) }
    }
  }

  /// The sizes stated in the file are checked first; the real ones are counted all the same.
  private func refuseBomb(_ status: zip_stat_t, _ path: String) throws(SheetError) {
    guard status.size > 10 << 20 else { return }
    guard status.size <= Self.mostBytes, status.size / max(status.comp_size, 1) <= Self.mostRatio else {
      throw tooLarge(path)
    }
  }

  private func tooLarge(_ path: String) -> SheetError {
    SheetError("\(name): the part \(path) unfolds to more than a workbook of ours would hold; it is not read")
  }
}
