import CSimdJSON

/// Reads one JSON document after the other, reusing its buffers.
///
/// simdjson finds the structure and unescapes the strings; what it finds becomes a flat tape that `JSONValue` walks
/// without allocating. A parser belongs to one thread at a time.
package final class JSONParser {
  /// How many readable bytes must follow a document that is parsed in place.
  package static let padding = 64

  private let parser: OpaquePointer
  private let depthLimit: Int

  /// A parser that refuses documents nested deeper than `depthLimit` arrays and objects.
  package init(depthLimit: Int = 64) {
    guard let parser = csimdjson_parser_create(UInt32(depthLimit)) else { fatalError("no memory for a JSON parser") }
    self.parser = parser
    self.depthLimit = depthLimit
  }

  deinit { csimdjson_parser_destroy(parser) }

  /// Parses exactly one document, consumed to its end; the value must not leave `body`.
  ///
  /// - Parameters:
  ///   - bytes: The document. It is copied, unless `hasPadding`.
  ///   - hasPadding: Whether `JSONParser.padding` readable bytes of any content follow `bytes`.
  /// - Throws: `JSONError` when the bytes are not one document, or what `body` throws.
  package func parse<R>(
    _ bytes: UnsafeRawBufferPointer, hasPadding: Bool = false, _ body: (JSONValue) throws -> R
  ) throws -> R {
    var tape = csimdjson_tape()
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let outcome = csimdjson_parse(parser, start, bytes.count, hasPadding && start != nil, &tape)
    guard outcome.status == CSIMDJSON_OK else { throw error(of: outcome, in: bytes) }
    return try withUnsafePointer(to: tape) { tape in
      try withExtendedLifetime(self) { try body(JSONValue(tape: tape, index: 0)) }
    }
  }

  /// Parses a document that is held in an array.
  package func parse<R>(_ bytes: [UInt8], _ body: (JSONValue) throws -> R) throws -> R {
    try bytes.withUnsafeBytes { try parse($0, body) }
  }

  private func error(of outcome: csimdjson_outcome, in bytes: UnsafeRawBufferPointer) -> JSONError {
    switch outcome.status {
    case CSIMDJSON_TOO_DEEP: .tooDeep(limit: depthLimit)
    case CSIMDJSON_INVALID_UTF8:
      .malformed(offset: Self.firstInvalidUTF8(in: bytes), reason: "bytes that are not UTF-8")
    default: .malformed(offset: outcome.offset, reason: outcome.reason.map { String(cString: $0) } ?? "not JSON")
    }
  }

  private static func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int {
    var decoder = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
    return offset
  }
}
