import CZip

/// The parts of a workbook's file, read as streams and within bounds: a file that unfolds into more than it should is
/// refused.
final class ZipArchive {
  /// What the parts that are read may unfold to together, and how much a part may be larger than what is stored of it.
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

  /// Gives a part piece by piece; false where it is not there.
  ///
  /// - Parameter limit: what this part alone may unfold to, bytes.
  /// - Throws: `SheetError` when it is damaged or unfolds too far, or what `body` throws.
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

  /// What the file says of itself is looked at first; what really comes out is counted all the same.
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
