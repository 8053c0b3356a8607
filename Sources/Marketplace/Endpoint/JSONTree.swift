/// A JSON value as a tree that keeps every number in its literal text and every object's members in order.
///
/// The marketplace writes and serves JSON of its own and shares no reader with the program that it tests.
package indirect enum JSONTree: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number in its literal text, e.g. `1.35576`.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSONTree

    package init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// The member of that name; nil where this is no object or has none.
  package subscript(name: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The text of a string, the literal of a number or boolean; nil for anything else.
  package var word: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The id of an expandable member: the string itself, or the `id` of the object that is in its place.
  package var reference: String? {
    if case .string(let text) = self { return text }
    return self["id"]?.word
  }

  /// The elements of an array; none of anything else.
  package var elements: [JSONTree] {
    if case .array(let elements) = self { return elements }
    return []
  }

  /// Compact JSON.
  package var text: String {
    var out = ""
    write(into: &out)
    return out
  }

  /// Appends compact JSON.
  package func write(into out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .number(let literal): out += literal
    case .string(let text): out += Self.quoted(text)
    case .array(let elements): Self.write(elements, between: ("[", "]"), into: &out) { $0.write(into: &$1) }
    case .object(let members):
      Self.write(members, between: ("{", "}"), into: &out) { member, out in
        out += Self.quoted(member.name) + ":"
        member.value.write(into: &out)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], between brackets: (String, String), into out: inout String, _ body: (Item, inout String) -> Void
  ) {
    out += brackets.0
    for (place, item) in items.enumerated() {
      if place > 0 { out += "," }
      body(item, &out)
    }
    out += brackets.1
  }

  /// The text as a JSON string, quotes included.
  package static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

extension JSONTree {
  /// A dictionary of plain Swift values as a tree; members in the order of their names, so that the bytes are always
  /// the same.
  ///
  /// - Throws: `MarketplaceError.notJSON` for a value that JSON cannot represent.
  package init(_ object: [String: Any]) throws {
    self = .object(try object.keys.sorted().map { Member($0, try JSONTree(any: object[$0] as Any)) })
  }

  private init(any value: Any) throws {
    switch value {
    case let tree as JSONTree: self = tree
    case let text as String: self = .string(text)
    case let flag as Bool: self = .bool(flag)
    case let number as any BinaryInteger: self = .number("\(number)")
    case let number as Double: self = .number("\(number)")
    case let object as [String: Any]: self = try JSONTree(object)
    case let list as [Any]: self = .array(try list.map { try JSONTree(any: $0) })
    case Optional<Any>.none: self = .null
    default: throw MarketplaceError.notJSON(offset: 0, reason: "no JSON form for a \(type(of: value))")
    }
  }
}
