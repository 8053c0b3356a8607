import CSimdJSON
import Glibc

/// A value of a parsed document: a cursor into the parser's tape, valid while `JSONParser.parse` runs its closure.
///
/// Access to a value allocates nothing; text becomes a `String` and a number an `Int64` only on request. A number keeps
/// its literal text, so that no amount ever passes through a float.
package struct JSONValue {
  /// The type of a value; `missing` is the type of an absent member.
  package enum Kind: Sendable { case missing, null, bool, number, string, array, object }

  let tape: UnsafePointer<csimdjson_tape>
  /// The value's position on the tape; that of the parent when the value is missing.
  let index: Int
  /// The name that was looked up and not found.
  let absent: StaticString?

  init(tape: UnsafePointer<csimdjson_tape>, index: Int, absent: StaticString? = nil) {
    self.tape = tape
    self.index = index
    self.absent = absent
  }

  var node: csimdjson_node { tape.pointee.nodes[index] }

  /// What the value is.
  package var kind: Kind {
    guard absent == nil else { return .missing }
    switch csimdjson_kind(node.kind) {
    case CSIMDJSON_NULL: return .null
    case CSIMDJSON_TRUE, CSIMDJSON_FALSE: return .bool
    case CSIMDJSON_NUMBER: return .number
    case CSIMDJSON_STRING: return .string
    case CSIMDJSON_ARRAY: return .array
    default: return .object
    }
  }

  /// Whether the value is null or absent.
  package var isAbsent: Bool { absent != nil || node.kind == CSIMDJSON_NULL.rawValue }

  /// The member of that name; `.missing` when there is none, or when the value is not an object.
  ///
  /// If a name occurs twice, the first counts. Members of a missing value are missing too, with the path of the first
  /// absent one.
  package subscript(_ name: StaticString) -> JSONValue {
    guard absent == nil else { return self }
    guard node.kind == CSIMDJSON_OBJECT.rawValue, let member = find(name.utf8Start, name.utf8CodeUnitCount) else {
      return JSONValue(tape: tape, index: index, absent: name)
    }
    return JSONValue(tape: tape, index: member)
  }

  /// The member of a name known only at run time; nil when there is none.
  package func member(named name: String) -> JSONValue? {
    guard kind == .object else { return nil }
    return name.withCString { find(UnsafeRawPointer($0), name.utf8.count) }.map { JSONValue(tape: tape, index: $0) }
  }

  private func find(_ name: UnsafeRawPointer, _ length: Int) -> Int? {
    guard let nodes = tape.pointee.nodes, let strings = tape.pointee.strings else { return nil }
    let end = Int(nodes[index].end)
    var child = index + 1
    while child < end {
      let candidate = nodes[child]
      if Int(candidate.key_length) == length, memcmp(strings + Int(candidate.key_offset), name, length) == 0 {
        return child
      }
      child = Int(candidate.end)
    }
    return nil
  }
}
