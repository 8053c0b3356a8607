import CZlib

/// Compresses one stream of bytes for an archive (RFC 1951), at zlib's level 1.
///
/// The same bytes in the same pieces give the same output, whatever else the process does.
final class Deflater {
  /// What follows a piece.
  enum Ending {
    /// More of the same.
    case more
    /// Bytes that were compressed separately: this piece must end on a byte boundary.
    case another
    /// Nothing.
    case nothing
  }

  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  init() {
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    // Raw: without header and checksum; a window of 15 bits, the most memory.
    guard deflateInit2_(stream, 1, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
      fatalError("no memory to compress a sheet")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Passes on what has been compressed, in pieces.
  func compress(
    _ bytes: UnsafeRawBufferPointer, _ ending: Ending, to store: (UnsafeRawBufferPointer) throws(ReportError) -> Void
  ) throws(ReportError) {
    let flush =
      switch ending {
      case .more: Z_NO_FLUSH
      case .another: Z_FULL_FLUSH
      case .nothing: Z_FINISH
      }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    repeat {
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      _ = deflate(stream, flush)
      let count = output.count - Int(stream.pointee.avail_out)
      try store(UnsafeRawBufferPointer(rebasing: output[..<count]))
    } while stream.pointee.avail_out == 0
  }
}
