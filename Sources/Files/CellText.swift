/// The normalised text of a cell.
package enum CellText {
  /// Without surrounding white space, and without U+0000, which no store can hold.
  package static func cleaned(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    if !isBlank(first) && !isBlank(last) && !text.utf8.contains(0) { return text }
    let head = text.utf8.filter { $0 != 0 }.drop(while: isBlank)
    let blanks = head.reversed().prefix(while: isBlank).count
    return String(decoding: head.dropLast(blanks), as: UTF8.self)
  }

  /// Whether a byte is white space or U+0000.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) || byte == 0 }
}
