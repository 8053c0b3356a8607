import Glibc

/// Bytes to be written to a file, in one reused piece of memory.
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// Valid until the buffer changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  mutating func removeAll() { count = 0 }

  /// Drops everything after the first `count` bytes.
  mutating func cut(to count: Int) { self.count = min(count, self.count) }

  @inline(__always) mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  @inline(__always) mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always) mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always) mutating func append(_ text: ShortText) {
    reserve(ShortText.longest)
    UnsafeMutableRawPointer(start + count).storeBytes(of: text.bytes, as: SIMD16<UInt8>.self)
    count += text.count
  }

  /// Inserts bytes before the byte at `index`.
  mutating func insert(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    guard let source = bytes.baseAddress, index <= count else { return }
    reserve(bytes.count)
    memmove(start + index + bytes.count, start + index, count - index)
    UnsafeMutableRawPointer(start + index).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// A whole number with its last `digits` digits after a point: 1234 with 2 is `12.34`, 5 with 2 is `0.05`.
  mutating func append(decimal value: Int64, digits: Int = 0) {
    let figures = max(Self.figures(of: value.magnitude), digits + 1)
    let length = figures + (digits > 0 ? 1 : 0) + (value < 0 ? 1 : 0)
    reserve(length)
    if value < 0 { start[count] = UInt8(ascii: "-") }
    var place = start + count + length
    var rest = value.magnitude
    for index in 0..<figures {
      if index == digits, digits > 0 {
        place -= 1
        place.pointee = UInt8(ascii: ".")
      }
      place -= 1
      place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  private static func figures(of value: UInt64) -> Int {
    var (figures, limit) = (1, UInt64(10))
    while value >= limit {
      figures += 1
      let next = limit.multipliedReportingOverflow(by: 10)
      if next.overflow { break }
      limit = next.partialValue
    }
    return figures
  }

  @inline(__always) private mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(to: count + more) }
  }

  @inline(never) private mutating func grow(to least: Int) {
    capacity = max(2 * capacity, least)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}

/// A few bytes that are written very often, in registers.
struct ShortText {
  static let longest = 16
  fileprivate var bytes = SIMD16<UInt8>()
  private(set) var count = 0

  /// - Parameter text: At most `longest` bytes.
  init(_ text: String) {
    precondition(text.utf8.count <= Self.longest, "\(text) is longer than a short text")
    for byte in text.utf8 {
      bytes[count] = byte
      count += 1
    }
  }
}
