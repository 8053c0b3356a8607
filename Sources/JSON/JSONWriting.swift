/// Writing a value back, compactly: numbers keep their literal text, members their order.
extension JSONValue {
  /// Appends the value, whole; a missing one as null.
  package func writeJSON(into output: inout [UInt8]) {
    _ = writeJSON(into: &output, keeping: .all)
  }

  /// Appends what the allow-list keeps and returns how many members were left out, each counted once with everything in
  /// it.
  package func writeJSON(into output: inout [UInt8], keeping kept: FieldSet) -> Int {
    switch kind {
    case .missing, .null: output.append(contentsOf: "null".utf8)
    case .bool: output.append(contentsOf: ((try? bool()) == true ? "true" : "false").utf8)
    case .number: output.append(contentsOf: text)
    case .string: Self.writeString(text, into: &output)
    case .array: return writeArray(into: &output, keeping: kept)
    case .object: return writeObject(into: &output, keeping: kept)
    }
    return 0
  }

  /// The value as compact JSON text.
  package var jsonText: String {
    var bytes: [UInt8] = []
    writeJSON(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func writeArray(into output: inout [UInt8], keeping kept: FieldSet) -> Int {
    var dropped = 0
    var separator = UInt8(ascii: "[")
    for element in elements {
      output.append(separator)
      separator = UInt8(ascii: ",")
      dropped += element.writeJSON(into: &output, keeping: kept)
    }
    if separator == UInt8(ascii: "[") { output.append(separator) }
    output.append(UInt8(ascii: "]"))
    return dropped
  }

  private func writeObject(into output: inout [UInt8], keeping kept: FieldSet) -> Int {
    var dropped = 0
    var separator = UInt8(ascii: "{")
    for member in children(of: .object) {
      guard let inner = kept.list(for: member) else {
        dropped += 1
        continue
      }
      output.append(separator)
      separator = UInt8(ascii: ",")
      Self.writeString(member.nameText, into: &output)
      output.append(UInt8(ascii: ":"))
      dropped += member.writeJSON(into: &output, keeping: inner)
    }
    if separator == UInt8(ascii: "{") { output.append(separator) }
    output.append(UInt8(ascii: "}"))
    return dropped
  }

  /// Appends UTF-8 text as a string in quotes, with the escapes that JSON requires and no others.
  package static func writeString(_ text: some Collection<UInt8>, into output: inout [UInt8]) {
    let written: Void? = text.withContiguousStorageIfAvailable { writeString($0, into: &output) }
    if written == nil { Array(text).withUnsafeBufferPointer { writeString($0, into: &output) } }
  }

  private static func writeString(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var written = 0
    for (place, byte) in text.enumerated() where byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<place]))
      writeEscape(of: byte, into: &output)
      written = place + 1
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[written...]))
    output.append(UInt8(ascii: "\""))
  }

  private static func writeEscape(of byte: UInt8, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    guard byte < 32 else { return output.append(byte) }
    let low = byte & 15
    output.append(contentsOf: byte < 16 ? "u000".utf8 : "u001".utf8)
    output.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
  }
}

extension FieldSet {
  /// The allow-list for a member; nil when it is dropped.
  fileprivate func list(for member: JSONValue) -> FieldSet? {
    switch self {
    case .all: .all
    case .fields(let fields): fields[member.name]
    }
  }
}
