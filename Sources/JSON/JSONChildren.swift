import CSimdJSON

/// The values inside an array or object, in the document's order; empty for anything else.
package struct JSONChildren: Sequence, IteratorProtocol {
  let tape: UnsafePointer<csimdjson_tape>
  var index: Int
  let end: Int

  package mutating func next() -> JSONValue? {
    guard index < end else { return nil }
    let value = JSONValue(tape: tape, index: index)
    index = Int(value.node.end)
    return value
  }
}

/// The names and values inside an object, in the document's order; empty for anything else.
package struct JSONMembers: Sequence, IteratorProtocol {
  var children: JSONChildren

  package mutating func next() -> (name: String, value: JSONValue)? {
    children.next().map { ($0.name, $0) }
  }
}

extension JSONValue {
  /// The elements of an array; none when the value is not an array.
  package var elements: JSONChildren { children(of: .array) }

  /// The members of an object; none when the value is not an object.
  package var members: JSONMembers { JSONMembers(children: children(of: .object)) }

  func children(of parent: Kind) -> JSONChildren {
    let isParent = kind == parent
    return JSONChildren(tape: tape, index: isParent ? index + 1 : 0, end: isParent ? Int(node.end) : 0)
  }

  /// The UTF-8 of a member's name in its object.
  var nameText: UnsafeBufferPointer<UInt8> {
    let start = UnsafeRawPointer(tape.pointee.strings)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start.map { $0 + Int(node.key_offset) }, count: Int(node.key_length))
  }

  var name: String { String(decoding: nameText, as: UTF8.self) }
}

extension JSONValue {
  /// The value's path, e.g. `$.fee_details[0].amount`; computed only on request.
  package var path: String {
    var path = "$"
    var parent = 0
    while parent != index {
      var place = 0
      let isArray = JSONValue(tape: tape, index: parent).kind == .array
      var child = JSONValue(tape: tape, index: parent + 1)
      while index >= Int(child.node.end) {
        child = JSONValue(tape: tape, index: Int(child.node.end))
        place += 1
      }
      path += isArray ? "[\(place)]" : Self.step(child.name)
      parent = child.index
    }
    return path + (absent.map { Self.step($0.description) } ?? "")
  }

  private static func step(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0 == "_" || ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
    }
    if isPlain && (1...40).contains(name.utf8.count) { return "." + name }
    let shown = String(name.unicodeScalars.prefix(40).map { $0.value < 32 ? " " : Character($0) })
    return "[\"" + shown + (shown.count < name.count ? "…" : "") + "\"]"
  }
}
