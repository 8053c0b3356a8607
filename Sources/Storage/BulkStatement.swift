/// The two halves of the statement behind a bulk load: the same text on both engines.
struct BulkStatement {
  let table: String
  let columns: [String]
  let keys: [String]
  /// Whether an existing row with the same key is kept rather than replaced.
  var keepsFirst = false

  /// `into "table" ("a", "b")`.
  var into: String { "into \(Self.quoted(table)) (\(Self.list(columns)))" }

  /// A column that keeps its value where a row is replaced by one with the same content.
  static let changeColumn = "changed_in"
  /// Columns that describe where a row was read and what follows from it; they are not a change of the record itself.
  private static let origins: Set = ["landed_file", "landed_line", "group_no", changeColumn]

  /// What happens to an existing row with the same key: the other columns are replaced, or it is kept. Empty without
  /// keys.
  var onConflict: String {
    if keys.isEmpty { return "" }
    let others = columns.filter { !keys.contains($0) }
    let target = "on conflict (\(Self.list(keys))) do"
    if others.isEmpty || keepsFirst { return "\(target) nothing" }
    return "\(target) update set "
      + others.map { "\(Self.quoted($0)) = \(replacement(of: $0, others))" }.joined(separator: ", ")
  }

  private func replacement(of column: String, _ others: [String]) -> String {
    let new = "excluded.\(Self.quoted(column))"
    guard column == Self.changeColumn else { return new }
    let old = { (name: String) in "\(Self.quoted(table)).\(Self.quoted(name))" }
    let compared = others.filter { !Self.origins.contains($0) }
    if compared.isEmpty { return old(column) }
    let isSame = compared.map { "\(old($0)) is not distinct from excluded.\(Self.quoted($0))" }.joined(
      separator: " and ")
    return "case when \(isSame) then \(old(column)) else \(new) end"
  }

  static func list(_ names: [String]) -> String {
    names.map(quoted).joined(separator: ", ")
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
