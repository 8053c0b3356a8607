import JSON

/// Lines of JSON to be landed, with members that Crossfoot adds.
extension [UInt8] {
  /// `{"name":"text",…}`.
  static func line(_ members: (name: String, text: String)...) -> [UInt8] {
    var line = Array("{}".utf8)
    for member in members { line.add(member.name, member.text) }
    return line
  }

  /// Adds a member at the line's end.
  mutating func add(_ name: String, _ text: String) {
    var member: [UInt8] = []
    JSONValue.writeString(name.utf8, into: &member)
    member.append(UInt8(ascii: ":"))
    JSONValue.writeString(text.utf8, into: &member)
    add(json: member)
  }

  /// Adds members that are already encoded, e.g. `"settled":true`.
  mutating func add(json members: some Sequence<UInt8>) {
    if last == UInt8(ascii: "}") { removeLast() }
    if count > 1 { append(UInt8(ascii: ",")) }
    append(contentsOf: members)
    append(UInt8(ascii: "}"))
  }
}
