import Glibc

/// A text to be erased, and its pseudonym.
package struct TextErasure: Sendable {
  package let text: String
  package let standIn: String
  /// The encodings of the text in JSON.
  private let spellings: [[UInt8]]

  /// - Parameter text: a reference of a customer: an order's id, an account in the shop.
  /// - Throws: `ErasureError.notAReference`.
  package init(_ text: String) throws {
    guard Self.isReference(text) else { throw ErasureError.notAReference(text.utf8.count) }
    self.text = text
    standIn = Self.standIn(for: text)
    var spellings = [Array(text.utf8)]
    let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let escaped = { (isUpper: Bool) in
      quoted.utf16.map { unit -> String in
        if let scalar = Unicode.Scalar(unit), scalar.isASCII { return String(Character(scalar)) }
        let digits = String(unit, radix: 16, uppercase: isUpper)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    for one in [quoted, escaped(false), escaped(true)].flatMap({ [$0, $0.replacing("/", with: "\\/")] })
    where !spellings.contains(Array(one.utf8)) { spellings.append(Array(one.utf8)) }
    self.spellings = spellings
  }

  /// Values of providers, amounts and dates are not references: replacing them would change the meaning of records.
  private static func isReference(_ text: String) -> Bool {
    guard text.utf8.count >= 4, text.utf8.count <= 200, text.contains(where: \.isNumber) || text.contains("@") else {
      return false
    }
    if text.allSatisfy({ $0.isNumber || ".,:-+TZ ".contains($0) }) {
      return text.utf8.count >= 8 && text.allSatisfy(\.isNumber)
    }
    return text.allSatisfy { !$0.isNewline && $0 != "\u{0}" } && !text.hasPrefix("d_")
  }

  /// Random, and stored nowhere: it cannot be traced back. Digits are replaced by digits, hexadecimal digits by
  /// hexadecimal digits.
  private static func standIn(for text: String) -> String {
    let isNumber = text.utf8.allSatisfy { (48...57).contains($0) }
    let isHexadecimal =
      text.utf8.count >= 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    let digits = { (count: Int, base: Int) in
      (0..<count).map { _ in String(Int.random(in: 0..<base), radix: base) }.joined()
    }
    if isNumber { return "9" + digits(17, 10) }
    return isHexadecimal ? digits(text.utf8.count, 16) : "erased-" + digits(16, 16)
  }

  /// Whether the bytes contain the text anywhere, also as part of a longer word.
  package func isIn(_ bytes: UnsafeRawBufferPointer) -> Bool { spellings.contains { Self.find($0, in: bytes) != nil } }

  package func isIn(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(isIn) }

  private static func find(_ pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
    var from = 0
    while from + pattern.count <= bytes.count,
      let found = memchr(base + from, Int32(first), bytes.count - pattern.count - from + 1)
    {
      if memcmp(found, pattern, pattern.count) == 0 { return UnsafeRawPointer(found) - base }
      from = UnsafeRawPointer(found) - base + 1
    }
    return nil
  }

  /// The text with every word that equals it replaced.
  package func erased(text: String) -> String { String(decoding: replaced(in: Array(text.utf8)[...]), as: UTF8.self) }

  /// The JSON line with every value replaced that is the text or contains it as a word; keys stay as they are.
  package func erased(_ line: [UInt8]) -> [UInt8] {
    guard isIn(line) else { return line }
    var (changed, index) = ([UInt8](), 0)
    while index < line.count {
      let start = index
      index = Self.end(ofTokenAt: start, in: line)
      let token = line[start..<index]
      let isKey = line[start] == 34 && line[index...].first { $0 != 32 } == 58
      let isValue = line[start] == 34 || (48...57).contains(line[start])
      changed += isValue && !isKey ? replaced(in: token) : Array(token)
    }
    return changed
  }

  private static func end(ofTokenAt start: Int, in line: [UInt8]) -> Int {
    var index = start + 1
    if line[start] == 34 {
      while index < line.count, line[index] != 34 { index += line[index] == 92 ? 2 : 1 }
      return min(index + 1, line.count)
    }
    if (48...57).contains(line[start]) {
      while index < line.count, (48...57).contains(line[index]) || [43, 45, 46, 69, 101].contains(line[index]) {
        index += 1
      }
    }
    return index
  }

  private func replaced(in token: ArraySlice<UInt8>) -> [UInt8] {
    var token = Array(token)
    for spelling in spellings {
      var from = 0
      while let place = token[from...].withUnsafeBytes({ Self.find(spelling, in: $0) }).map({ $0 + from }) {
        let end = place + spelling.count
        let isWord =
          !(place > 0 && Self.isOfWord(token[place - 1])) && !(end < token.count && Self.isOfWord(token[end]))
        if isWord { token.replaceSubrange(place..<end, with: standIn.utf8) }
        from = isWord ? place + standIn.utf8.count : place + 1
      }
    }
    return token
  }

  /// `ORD-1` is not a word within `ORD-1-000850`.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte >= 128 || byte == 45
      || byte == 95
  }
}

/// Why an erasure cannot begin.
package enum ErasureError: Error, Hashable, CustomStringConvertible {
  case notAReference(Int)
  /// Manifests cannot be changed without breaking the chain.
  case namedByManifest(String)
  /// Damaged files cannot be searched.
  case damaged(Int)

  package var description: String {
    switch self {
    case .notAReference(let length):
      "found a text of \(length) bytes, expected a reference of a customer: 4 to 200 bytes with a digit or an @, no "
        + "date, no amount, figures alone from 8 on"
    case .namedByManifest(let file):
      "\(file): found the text in a manifest, expected it in records alone; it is what a provider was asked for, and "
        + "stays"
    case .damaged(let count):
      "found \(count) faults in the landing zone, expected none: what is damaged cannot be searched; `crossfoot "
        + "verify` names them"
    }
  }
}
