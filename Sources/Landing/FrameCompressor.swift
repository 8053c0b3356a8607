import CZstd

/// Compresses into zstd frames that end on request, so that everything before the end of a frame can be read whatever
/// happens to the rest.
final class FrameCompressor {
  private let context: OpaquePointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ZSTD_CStreamOutSize(), alignment: 16)

  init() {
    guard let context = ZSTD_createCCtx() else { fatalError("no memory for a zstd compressor") }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
    buffer.deallocate()
  }

  /// Takes bytes, and passes compressed ones to `sink` as they become available.
  func compress(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    while input.pos < input.size { _ = try step(&input, ZSTD_e_continue, sink) }
  }

  /// Ends the frame, and passes the remaining bytes to `sink`.
  func endFrame(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    var input = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
    while try step(&input, ZSTD_e_end, sink) > 0 {}
  }

  private func step(
    _ input: inout ZSTD_inBuffer, _ directive: ZSTD_EndDirective, _ sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    let left = ZSTD_compressStream2(context, &output, &input, directive)
    guard ZSTD_isError(left) == 0 else { fatalError("zstd: \(String(cString: ZSTD_getErrorName(left)))") }
    if output.pos > 0 { try sink(UnsafeRawBufferPointer(rebasing: buffer[..<output.pos])) }
    return left
  }
}
