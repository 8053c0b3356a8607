import Foundation

/// The message for a service with a format of its own: JSON whose texts contain `{names}` that each message fills in.
///
/// `{severity|critical=P1|high=P2}` replaces a value, `{headline|130}` truncates it. A member whose name is empty is
/// left out, an element of a list with the member `repeat` is repeated for each line of the message, its `{line}`.
package struct WebhookTemplate: Sendable, Equatable, Decodable {
  /// One kind of message.
  package struct Message: Sendable, Equatable, Decodable {
    /// Appended to the address.
    package var path: String?
    package var body: TemplateValue
  }
  package var headers: [String: String]?
  /// Sent while something is open for the receiver.
  package var open: Message
  /// Sent once nothing is open any more; nil: the same as `open`.
  package var closed: Message?

  /// The names that a message fills in.
  package static let names: Set = [
    "headline", "text", "line", "severity", "range", "verdict", "url", "key", "incident", "secret",
  ]

  /// The member that repeats its element.
  package static let repeatKey = "repeat"

  /// Reads a template.
  ///
  /// - Throws: `DecodingError` when it is not JSON or lacks `open`.
  package init(json text: String) throws {
    self = try JSONDecoder().decode(WebhookTemplate.self, from: Data(text.utf8))
  }

  /// A name in braces that is not defined; nil when there is none.
  var unknownName: String? {
    let texts = (headers ?? [:]).values + [open, closed].compactMap { $0 }.flatMap { [$0.path ?? ""] + $0.body.texts }
    for text in texts {
      for match in text.matches(of: /{([a-z_]+)(?:\|[^{}]*)?}/) where !Self.names.contains(String(match.1)) {
        return String(match.1)
      }
    }
    return nil
  }
}

/// A JSON value of a template; the order of members is not kept.
package indirect enum TemplateValue: Sendable, Equatable, Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case text(String)
  case list([TemplateValue])
  case members([String: TemplateValue])

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let truth = try? value.decode(Bool.self) {
      self = .bool(truth)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([TemplateValue].self) {
      self = .list(list)
    } else {
      self = .members(try value.decode([String: TemplateValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let truth): try container.encode(truth)
    case .integer(let integer): try container.encode(integer)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .members(let members): try container.encode(members)
    }
  }

  /// Every text in it.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list.flatMap(\.texts)
    case .members(let members): members.values.flatMap(\.texts)
    default: []
    }
  }
}
