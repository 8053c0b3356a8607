import CZstd
import Cryptography
import Glibc

/// A landed file as its manifest describes it, read with constant memory.
final class LandedFile {
  private let manifest: Manifest
  private let file: StoredFile
  private let lines = LineSplitter()

  init(_ manifest: Manifest, in directory: String) throws {
    self.manifest = manifest
    do {
      file = try StoredFile(path: directory + "/" + manifest.path)
    } catch {
      throw LandingError.damaged(
        file: manifest.path, found: "no file that can be read", expected: "\(manifest.bytes) bytes")
    }
  }

  /// Verifies the whole file, then passes on its lines.
  func read(_ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    try verify()
    file.rewind()
    guard let context = ZSTD_createDCtx() else { fatalError("no memory for a zstd decompressor") }
    defer { ZSTD_freeDCtx(context) }
    var expectsMore = 0
    _ = try file.read { piece in
      var input = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
      expectsMore = try decompress(&input, with: context, line)
    }
    try lines.end(line)
    guard expectsMore == 0 else { throw damaged("a file that ends within a frame", "whole frames") }
    guard lines.count == manifest.objects else { throw damaged("\(lines.count) records", "\(manifest.objects)") }
  }

  /// Compares length and SHA-256 of the stored bytes with the manifest.
  func verify() throws {
    var hash = SHA256()
    let bytes = try file.read { hash.update($0) }
    guard bytes == manifest.bytes else { throw damaged("\(bytes) bytes", "\(manifest.bytes) bytes") }
    let found = hash.finalize().hexadecimal
    guard found == manifest.sha256 else {
      throw damaged("SHA-256 \(found.prefix(16))…", "\(manifest.sha256.prefix(16))…")
    }
  }

  /// Decompresses one piece; returns zstd's hint, which is 0 at the end of a frame.
  private func decompress(
    _ input: inout ZSTD_inBuffer, with context: OpaquePointer, _ line: (UnsafeRawBufferPointer, Int) throws -> Void
  ) throws -> Int {
    var hint = 0
    var isFull = false
    while input.pos < input.size || isFull {
      let room = lines.room
      var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
      hint = ZSTD_decompressStream(context, &output, &input)
      guard ZSTD_isError(hint) == 0 else {
        throw damaged("zstd: \(String(cString: ZSTD_getErrorName(hint)))", "zstd frames")
      }
      isFull = output.pos == output.size && hint != 0
      try lines.filled(output.pos, line)
    }
    return hint
  }

  private func damaged(_ found: String, _ expected: String) -> LandingError {
    .damaged(file: manifest.path, found: found, expected: expected)
  }
}
