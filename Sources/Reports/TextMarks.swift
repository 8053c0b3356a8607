/// Marks bytes of a text cell that need special treatment, the same for files and sheets.
enum TextMarks {
  /// The byte requires quotes under RFC 4180.
  static let quotes: UInt8 = 1
  /// At the beginning of a cell, the byte would make a spreadsheet run it.
  static let runs: UInt8 = 2
  /// A control character, or the first byte of one (U+0080...U+009F begin with 0xC2).
  static let control: UInt8 = 4
  static let quote = UInt8(ascii: "\"")

  /// The marks of each byte.
  static let table: [UInt8] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "\""), UInt8(ascii: ","): quotes
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): runs
    case 0x09, 0x0D: runs | control
    case 0..<0x20, 0x7F, 0xC2: control
    default: 0
    }
  }

  /// Whether a spreadsheet would run the cell: its first visible character is one of `= + - @`, in any width, whatever
  /// invisible characters precede it. After plain spaces alone a spreadsheet takes `=` for text.
  static func isRun(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, !(0x41..<0x80).contains(first), !(0x30..<0x3A).contains(first) else { return false }
    if table[Int(first)] & runs != 0 { return true }
    guard first >= 0xC2 || first <= 0x20 else { return false }
    var decoder = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    var hasOnlySpaces = first == 0x20
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      guard isInvisible(scalar) else { return signs.contains(scalar) && !(hasOnlySpaces && scalar.isASCII) }
      hasOnlySpaces = hasOnlySpaces && scalar == " "
    }
    return false
  }

  /// The four signs: full-width, small, and mathematical forms.
  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}", "\u{FE63}", "\u{FE6B}",
    "\u{2212}",
  ]

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || [.control, .format].contains(properties.generalCategory)
  }

  /// Passes on the bytes with each control character replaced by one space.
  static func withoutControls(_ bytes: UnsafeRawBufferPointer, _ body: (UInt8) -> Void) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0xC2, index < bytes.count, (0x80...0x9F).contains(bytes[index]) {
        index += 1
        body(0x20)
      } else {
        body(byte < 0x20 || byte == 0x7F ? 0x20 : byte)
      }
    }
  }
}
