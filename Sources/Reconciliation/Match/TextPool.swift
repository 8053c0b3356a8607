import Foundation

/// An identifier of the store as a handle into a `TextPool`: equal bytes have equal handles.
struct TextID: Hashable, Sendable {
  let index: Int32
}

/// The identifiers of a run, each stored once and compared byte by byte, as both engines compare text.
///
/// `String` compares by canonical equivalence: two order ids that differ only in their bytes would become one.
struct TextPool: Sendable {
  private var bytes: [UInt8] = []
  /// Where each text ends; it begins where the one before it ends.
  private var ends: [Int] = []
  /// Open addressing: handles plus one, 0 for an empty slot; a power of two of them, at most half full.
  private var slots: [Int32]
  private var mask: Int

  init() {
    slots = Array(repeating: 0, count: 1024)
    mask = 1023
  }

  /// The number of texts; handles count from 0.
  var count: Int { ends.count }

  /// The handle of a text, which is added if it is new.
  mutating func intern(_ text: UnsafeRawBufferPointer) -> TextID {
    let slot = self.slot(of: text)
    if slots[slot] != 0 { return TextID(index: slots[slot] - 1) }
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    slots[slot] = Int32(ends.count)
    if 2 * ends.count > slots.count { grow() }
    return TextID(index: Int32(ends.count - 1))
  }

  /// The handle of a text, which is added if it is new.
  mutating func intern(_ text: String) -> TextID {
    var text = text
    return text.withUTF8 { intern(UnsafeRawBufferPointer($0)) }
  }

  /// The handle of a text; nil where it was never added.
  func find(_ text: UnsafeRawBufferPointer) -> TextID? {
    let found = slots[slot(of: text)]
    return found == 0 ? nil : TextID(index: found - 1)
  }

  /// The bytes of a text, valid inside the closure.
  func withBytes<R>(of text: TextID, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let start = self.start(of: text)
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[Int(text.index)]])) }
  }

  /// The text itself, for messages.
  func string(_ text: TextID) -> String { withBytes(of: text) { String(decoding: $0, as: UTF8.self) } }

  /// Whether a text comes before another by its bytes.
  func precedes(_ first: TextID, _ second: TextID) -> Bool {
    if first == second { return false }
    return withBytes(of: first) { first in
      withBytes(of: second) { second in TextPool.compare(first, second) < 0 }
    }
  }

  /// The smaller of two texts, either of which may be missing.
  func smaller(_ first: TextID?, _ second: TextID?) -> TextID? {
    guard let first, let second else { return first ?? second }
    return precedes(second, first) ? second : first
  }

  /// The greater of two texts, either of which may be missing.
  func greater(_ first: TextID?, _ second: TextID?) -> TextID? {
    guard let first, let second else { return first ?? second }
    return precedes(first, second) ? second : first
  }

  private func start(of text: TextID) -> Int { text.index == 0 ? 0 : ends[Int(text.index) - 1] }

  /// The slot of a text, or the empty slot where it belongs.
  private func slot(of text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    var slot = hasher.finalize() & mask
    while slots[slot] != 0, !withBytes(of: TextID(index: slots[slot] - 1), { TextPool.compare($0, text) == 0 }) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: 2 * slots.count)
    mask = slots.count - 1
    for index in 0..<Int32(ends.count) {
      let slot = withBytes(of: TextID(index: index)) { self.slot(of: $0) }
      slots[slot] = index + 1
    }
  }

  /// Negative if the first text comes first, 0 if they are equal.
  private static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let common = min(first.count, second.count)
    if common > 0, let left = first.baseAddress, let right = second.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
