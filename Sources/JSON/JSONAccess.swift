import CSimdJSON

/// Typed access: each accessor expects one type and throws an error with the path when it finds another.
extension JSONValue {
  /// The text of a string.
  package func string() throws -> String {
    guard kind == .string else { throw wrongType("a string") }
    return String(decoding: text, as: UTF8.self)
  }

  /// A whole number that fits 64 bits, with neither fraction nor exponent.
  package func int64() throws -> Int64 {
    guard kind == .number else { throw wrongType("a whole number") }
    return try wholeNumber(text)
  }

  /// True or false.
  package func bool() throws -> Bool {
    guard kind == .bool else { throw wrongType("true or false") }
    return node.kind == CSIMDJSON_TRUE.rawValue
  }

  /// The literal text of a number, exactly as in the document.
  package func numberText() throws -> String {
    guard kind == .number else { throw wrongType("a number") }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of a string; nil when it is null or absent.
  package func optionalString() throws -> String? { isAbsent ? nil : try string() }

  /// A whole number that fits 64 bits; nil when it is null or absent.
  package func optionalInt64() throws -> Int64? { isAbsent ? nil : try int64() }

  /// True or false; nil when it is null or absent.
  package func optionalBool() throws -> Bool? { isAbsent ? nil : try bool() }

  /// The literal text of a number; nil when it is null or absent.
  package func optionalNumberText() throws -> String? { isAbsent ? nil : try numberText() }

  /// The id of an expandable member, given as the id or as the object with it; nil when it is null or absent.
  package func expandableID() throws -> String? {
    switch kind {
    case .missing, .null: nil
    case .object: try self["id"].string()
    default: try string()
    }
  }

  /// Whether the value is a string with exactly this text; compares bytes and makes no `String`.
  package func isString(_ other: StaticString) -> Bool {
    guard kind == .string, node.text_length == other.utf8CodeUnitCount else { return false }
    return text.elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
  }

  /// The UTF-8 of a string or the literal of a number; valid as long as the value.
  package var text: UnsafeBufferPointer<UInt8> {
    let kind = kind
    guard kind == .string || kind == .number else { return UnsafeBufferPointer(start: nil, count: 0) }
    let base = kind == .string ? tape.pointee.strings : tape.pointee.source
    let start = UnsafeRawPointer(base)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start.map { $0 + Int(node.text_offset) }, count: Int(node.text_length))
  }

  private func wholeNumber(_ literal: UnsafeBufferPointer<UInt8>) throws -> Int64 {
    let isNegative = literal.first == UInt8(ascii: "-")
    var number: Int64 = 0
    for byte in literal.dropFirst(isNegative ? 1 : 0) {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw wrongType("a whole number") }
      let (product, isBeyond) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (sum, isBeyondToo) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !isBeyond, !isBeyondToo else { throw JSONError.numberOutOfRange(path: path) }
      number = sum
    }
    return number
  }

  private func wrongType(_ expected: String) -> JSONError {
    kind == .missing ? .missing(path: path) : .wrongType(path: path, expected: expected, found: found)
  }

  private var found: String {
    switch kind {
    case .missing: return "nothing"
    case .null: return "null"
    case .bool: return "true or false"
    case .number:
      return text.count <= 40
        ? "the number " + String(decoding: text, as: UTF8.self) : "a number of \(text.count) characters"
    case .string: return "a string"
    case .array: return "an array"
    case .object: return "an object"
    }
  }
}
