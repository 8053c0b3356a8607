import Glibc
import JSON

/// Splits a stream of bytes into lines without copying them, as long as they fit into its buffer, which grows to the
/// longest line.
///
/// After every line that it passes on, `JSONParser.padding` bytes are readable, so that simdjson parses it in place.
final class LineSplitter {
  /// How many lines have been passed on.
  private(set) var count = 0
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: (1 << 20) + JSONParser.padding, alignment: 16)
  /// The bytes of an unfinished line are at the start of the buffer.
  private var pending = 0

  init() {
    // The bytes after the last line are read too, although their values do not matter.
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { buffer.deallocate() }

  /// How many bytes it holds in memory.
  var capacity: Int { buffer.count }

  /// Where the next bytes go; never empty.
  var room: UnsafeMutableRawBufferPointer {
    if pending + JSONParser.padding >= buffer.count { grow() }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[pending..<buffer.count - JSONParser.padding])
  }

  /// Takes the bytes that were written to `room`, and passes on every line they complete.
  func filled(_ bytes: Int, _ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    guard let base = buffer.baseAddress else { return }
    let end = pending + bytes
    var start = 0
    var searched = pending
    while searched < end, let found = memchr(base + searched, 10, end - searched) {
      let lineBreak = base.distance(to: UnsafeMutableRawPointer(found))
      try give(start..<lineBreak, line)
      start = lineBreak + 1
      searched = start
    }
    pending = end - start
    if start > 0 && pending > 0 { memmove(base, base + start, pending) }
  }

  /// Passes on what is left when the stream ended without a line break.
  func end(_ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    if pending > 0 { try give(0..<pending, line) }
    pending = 0
  }

  private func give(_ range: Range<Int>, _ line: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    count += 1
    try line(UnsafeRawBufferPointer(rebasing: buffer[range]), count)
  }

  private func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (buffer.count - JSONParser.padding) * 2 + JSONParser.padding, alignment: 16)
    larger.initializeMemory(as: UInt8.self, repeating: 0)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<pending]))
    buffer.deallocate()
    buffer = larger
  }
}
