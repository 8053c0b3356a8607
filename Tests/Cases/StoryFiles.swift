import Foundation
import Yams

/// Files that a story delivers: text as it is, a list as JSON lines, a mapping as JSON.
enum StoryFiles {
  /// The files of a night in their order; nil for one that is deleted.
  static func list(_ node: Node?, copies: Int) throws -> [(path: String, text: String?)] {
    try (node?.mapping ?? [:]).map { key, value in
      guard let path = key.string, !path.hasPrefix("/") else {
        throw StoryError("a file is named relative to the folder")
      }
      return (path, try text(value, copies: copies))
    }
  }

  private static func text(_ node: Node, copies: Int) throws -> String? {
    switch node {
    case .scalar(let scalar) where scalar.style == .plain && ["null", "~", ""].contains(scalar.string): nil
    case .scalar(let scalar): lines(scalar.string, copies: copies)
    case .sequence: try Story.repeated(node, copies: copies).map { try json($0, copies: copies) + "\n" }.joined()
    default: try json(node, copies: copies)
    }
  }

  /// The text, a line with `{n}` in it as often as asked for.
  static func lines(_ text: String, copies: Int) -> String {
    guard copies > 1, text.contains("{n}") else { return text.replacingOccurrences(of: "{n}", with: "1") }
    return text.components(separatedBy: "\n").flatMap { line in
      line.contains("{n}") ? (1...copies).map { line.replacingOccurrences(of: "{n}", with: String($0)) } : [line]
    }.joined(separator: "\n")
  }

  /// YAML as JSON on one line, members in their order; a plain word that is a JSON number stays one, digit for digit.
  static func json(_ node: Node, copies: Int) throws -> String {
    switch node {
    case .mapping(let mapping):
      let members = try mapping.map { try "\(quoted($0.string ?? "")):\(json($1, copies: copies))" }
      return "{\(members.joined(separator: ","))}"
    case .sequence:
      return "[\(try Story.repeated(node, copies: copies).map { try json($0, copies: copies) }.joined(separator: ","))]"
    case .scalar(let scalar):
      guard scalar.style == .plain else { return quoted(scalar.string) }
      if ["", "~"].contains(scalar.string) { return "null" }
      let isBare = ["null", "true", "false"].contains(scalar.string) || isNumber(scalar.string)
      return isBare ? scalar.string : quoted(scalar.string)
    default: throw StoryError("an alias has no JSON")
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    text.range(of: "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$", options: .regularExpression) != nil
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 32: String(format: "\\u%04x", scalar.value)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
