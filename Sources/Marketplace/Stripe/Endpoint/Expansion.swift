/// `expand[]`: an id replaced by the object it names, as deep as the path goes (digest 1).
enum Expansion {
  /// The member paths that the query asks for; on lists they begin with `data.`.
  static func asked(_ query: StripePage.Query, prefix: String) -> [[String]] {
    query.filter { $0.name.hasPrefix("expand[") && $0.value.hasPrefix(prefix) }
      .map { $0.value.dropFirst(prefix.count).split(separator: ".").map(String.init) }
  }

  /// The object with each path expanded; what cannot be expanded stays as it is.
  static func expand(_ json: String, _ paths: [[String]], from view: StripeView) -> String {
    guard !paths.isEmpty, var tree = try? JSONTree.parse(json) else { return json }
    for path in paths { expand(&tree, path[...], from: view) }
    return tree.text
  }

  private static func expand(_ tree: inout JSONTree, _ path: ArraySlice<String>, from view: StripeView) {
    guard let member = path.first, var value = tree[member] else { return }
    if case .string(let id) = value, let object = view.object(id), let expanded = try? JSONTree.parse(object.json) {
      value = expanded
    }
    expand(&value, path.dropFirst(), from: view)
    tree[member] = value
  }
}
