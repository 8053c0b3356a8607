import Payments
import Storage

/// Renders a check's sentence: `{expected}` and every other column in braces, amounts with their currency's digits.
struct Explanation {
  /// The sentence split at its braces: parts at odd positions are names.
  private let parts: [String]

  init(_ template: String) {
    var parts: [String] = [""]
    for character in template {
      if character == "{" || character == "}" { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    self.parts = parts
  }

  /// The names that are in braces.
  var names: [String] { parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }

  /// - Throws: `MoneyError` for an unknown currency, `StorageError` for a column of another type.
  func render(_ row: CheckResult) throws -> String {
    var sentence = ""
    for (index, part) in parts.enumerated() {
      sentence += index % 2 == 0 ? part : try word(part, row)
    }
    return sentence
  }

  private func word(_ name: String, _ row: CheckResult) throws -> String {
    switch name {
    case "difference":
      guard let expected = try row.integer("expected_minor"), let actual = try row.integer("actual_minor") else {
        return "unknown"
      }
      let difference = actual.subtractingReportingOverflow(expected)
      guard !difference.overflow else { throw MoneyError.overflow("a difference") }
      return try amount(difference.partialValue, row.text("currency"))
    case _ where row.has("\(name)_minor"):
      guard let minor = try row.integer("\(name)_minor") else { return "unknown" }
      return try amount(minor, row.has("\(name)_currency") ? row.text("\(name)_currency") : row.text("currency"))
    case _ where row.has("\(name)_at"):
      return try row.integer("\(name)_at").map(Instant.text) ?? "unknown"
    default: return row.text(name) ?? "unknown"
    }
  }

  private func amount(_ minor: Int64, _ currency: String?) throws -> String {
    guard let currency, !currency.isEmpty else { return String(minor) }
    return Money(amountMinor: minor, currency: try Currency(code: currency)).description
  }
}

/// A row of a check's result, by column name.
struct CheckResult {
  let row: any Row
  private let columns: [String: Int]

  init(_ row: any Row, columns: [String: Int]) {
    self.row = row
    self.columns = columns
  }

  func has(_ name: String) -> Bool { columns[name] != nil }
  func integer(_ name: String) throws -> Int64? { try columns[name].flatMap { try row.integer($0) } }
  func text(_ name: String) -> String? { columns[name].flatMap { row.text($0) } }
}
