/// A text that a spreadsheet cell can contain: valid UTF-8, no control characters, not too long, and nothing that would
/// be read as an escape.
struct CellText {
  private(set) var bytes: [UInt8] = []
  private(set) var isCut = false

  /// Whether the bytes need no change: short, printable ASCII without an underscore followed by an x.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= 32_767 else { return false }
    var (others, underscores): (UInt8, UInt8) = (0, 0)
    for byte in bytes {
      others |= byte &- 0x20 > 0x7E - 0x20 ? 1 : 0
      underscores |= byte == UInt8(ascii: "_") ? 1 : 0
    }
    return others == 0 && (underscores == 0 || !hasEscape(bytes))
  }

  private static func hasEscape(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var last: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "x") && last == UInt8(ascii: "_") { return true }
      last = byte
    }
    return false
  }

  /// The number of lines of a text in a column, broken at spaces; estimated generously, with all letters as wide as a
  /// digit.
  static func lines(_ bytes: UnsafeRawBufferPointer, width: Double) -> Int {
    let room = max(1, Int(width))
    var (lines, line, word) = (1, 0, 0)
    func place() {
      if line > 0, line + 1 + word > room { (lines, line) = (lines + 1, 0) }
      line += word + (line > 0 ? 1 : 0)
      if line > room { (lines, line) = (lines + (line - 1) / room, (line - 1) % room + 1) }
      word = 0
    }
    for byte in bytes {
      if byte == 0x20 { place() } else if byte & 0xC0 != 0x80 { word += 1 }
    }
    place()
    return lines
  }

  /// - Parameter limit: the maximum number of UTF-16 units of the result.
  init(_ source: UnsafeRawBufferPointer, limit: Int) {
    let text = Self.escaped(String(decoding: source, as: UTF8.self))
    var units = text.utf16.count
    isCut = units > limit
    bytes.reserveCapacity(source.count)
    units = 0
    for scalar in text.unicodeScalars {
      units += scalar.value > 0xFFFF ? 2 : 1
      if isCut && units > limit - 1 { break }
      bytes.append(contentsOf: Self.isControl(scalar) ? [0x20] : Array(String(scalar).utf8))
    }
    if isCut { bytes.append(contentsOf: "…".utf8) }
  }

  /// C0, DEL, C1 and what XML 1.0 excludes.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFFFE || scalar.value == 0xFFFF
  }

  /// A spreadsheet reads `_x0041_` as `A`, so the underscore is itself written as an escape (ECMA-376, ST_Xstring).
  private static func escaped(_ text: String) -> String {
    text.replacing(#/_(?=x[0-9A-Fa-f]{4}_)/#, with: "_x005F_")
  }
}
