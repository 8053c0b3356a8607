/// Writing a value again, compactly: numbers keep their literal, names their order.
extension JSONValue {
  /// Appends the value, whole; a missing one as null.
  package func writeJSON(into output: inout [UInt8]) {
    _ = writeJSON(into: &output, keeping: .all)
  }

  /// Appends what the allow-list keeps and returns how many members were left out, each counted once with all that is in it.
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
    for member in members {
      guard let inner = kept.member(member.name) else {
        dropped += 1
        continue
      }
      output.append(separator)
      separator = UInt8(ascii: ",")
      Self.writeString(member.value.nameText, into: &output)
      output.append(UInt8(ascii: ":"))
      dropped += member.value.writeJSON(into: &output, keeping: inner)
    }
    if separator == UInt8(ascii: "{") { output.append(separator) }
    output.append(UInt8(ascii: "}"))
    return dropped
  }

  /// Appends a string in quotes, with the escapes that JSON demands and no others.
  package static func writeString(_ text: some Collection<UInt8>, into output: inout [UInt8]) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    output.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0..<32:
        output.append(contentsOf: "\\u00".utf8)
        output.append(hexadecimal[Int(byte >> 4)])
        output.append(hexadecimal[Int(byte & 15)])
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension FieldSet {
  /// What is kept of the member of that name; nil when it is dropped.
  func member(_ name: String) -> FieldSet? {
    switch self {
    case .all: .all
    case .fields(let fields): fields[name]
    }
  }
}
