/// The two halves of the statement behind a bulk load: the same words on both engines.
struct BulkStatement {
  let table: String
  let columns: [String]
  let keys: [String]
  /// Whether a row whose key is there is left alone rather than replaced.
  var keepsFirst = false

  /// `into "table" ("a", "b")`.
  var into: String { "into \(Self.quoted(table)) (\(Self.list(columns)))" }

  /// What happens to a row whose key is there: the other columns are replaced, or it stays. Empty without keys.
  var onConflict: String {
    if keys.isEmpty { return "" }
    let others = columns.filter { !keys.contains($0) }
    let target = "on conflict (\(Self.list(keys))) do"
    if others.isEmpty || keepsFirst { return "\(target) nothing" }
    return "\(target) update set " + others.map { "\(Self.quoted($0)) = excluded.\(Self.quoted($0))" }.joined(separator: ", ")
  }

  static func list(_ names: [String]) -> String {
    names.map(quoted).joined(separator: ", ")
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
