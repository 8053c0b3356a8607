import Yams

/// Reads a `layout.yml`; every mistake is reported with its file and line.
struct LayoutReader {
  let path: String

  /// What a layout says; the query and the folder make it a `ReportDefinition`.
  struct Layout {
    let title: String
    let description: String
    let destination: ReportDestination
    let sheet: SheetPlace
    let columns: [ReportColumn]
  }

  /// The position of a sheet that names none.
  private static let lastPosition = 1000

  func read(_ text: String) throws(ReportError) -> Layout {
    let root = LayoutMapping(try compose(text), path: path, what: "a layout")
    try root.refuseUnknown(besides: ["title", "description", "goes_to", "sheet", "columns"])
    let title = try root.text("title")
    return Layout(
      title: title, description: try root.optionalText("description") ?? "", destination: try destination(root),
      sheet: try sheet(root, title: title), columns: try columns(root))
  }

  private func compose(_ text: String) throws(ReportError) -> Node {
    do {
      guard let node = try Yams.compose(yaml: text), node.mapping != nil else {
        throw ReportError.badDefinition(path: path, line: 1, reason: "expected a layout: title, goes_to, columns …")
      }
      return node
    } catch let error as ReportError {
      throw error
    } catch let error as YamlError {
      throw .badDefinition(path: path, line: error.line, reason: "no YAML: \(error.sentence)")
    } catch {
      throw .badDefinition(path: path, line: 0, reason: "no YAML: \(error)")
    }
  }

  private func destination(_ root: LayoutMapping) throws(ReportError) -> ReportDestination {
    guard root["goes_to"] != nil else { return .both }
    return try root.word("goes_to", ReportDestination.self)
  }

  private func sheet(_ root: LayoutMapping, title: String) throws(ReportError) -> SheetPlace {
    guard let node = root["sheet"] else {
      return try place(name: title, position: Self.lastPosition, line: root.line)
    }
    let sheet = LayoutMapping(node, path: path, what: "sheet")
    try sheet.refuseUnknown(besides: ["name", "position"])
    let position = try sheet.optionalInteger("position") ?? Self.lastPosition
    return try place(name: try sheet.optionalText("name") ?? title, position: position, line: sheet.line)
  }

  private func place(name: String, position: Int, line: Int) throws(ReportError) -> SheetPlace {
    let isNamed = (1...31).contains(name.utf16.count) && !name.contains { "[]:*?/\\".contains($0) }
    guard isNamed, name.first != "'", name.last != "'" else {
      throw .badDefinition(
        path: path, line: line, reason: "\"\(name)\" is no name of a sheet; expected 1 to 31 characters, none of [ ] : * ? / \\")
    }
    return SheetPlace(name: name, position: position)
  }

  private func columns(_ root: LayoutMapping) throws(ReportError) -> [ReportColumn] {
    guard let node = root["columns"], let list = node.sequence, !list.isEmpty else {
      throw .badDefinition(
        path: path, line: root["columns"]?.line ?? root.line, reason: "columns: expected a list with at least one column")
    }
    var columns: [ReportColumn] = []
    for node in list {
      let column = try self.column(LayoutMapping(node, path: path, what: "a column"))
      if columns.contains(where: { $0.name == column.name }) {
        throw .badDefinition(path: path, line: column.line, reason: "the column \(column.name) stands there twice")
      }
      columns.append(column)
    }
    return columns
  }

  private func column(_ mapping: LayoutMapping) throws(ReportError) -> ReportColumn {
    try mapping.refuseUnknown(besides: ["name", "header", "format", "width", "definition", "source", "currency"])
    let name = try mapping.identifier("name")
    let format = try mapping.word("format", CellFormat.self)
    let currency = try mapping.optionalIdentifier("currency")
    if currency != nil, format != .amount {
      throw .badDefinition(path: path, line: mapping.line, reason: "\(name): currency belongs to columns of format amount only")
    }
    return ReportColumn(
      name: name, header: try mapping.optionalText("header") ?? name, format: format, width: try mapping.width("width"),
      definition: try mapping.optionalText("definition") ?? "",
      source: try mapping.optionalIdentifier("source") ?? (format == .amount ? "\(name)_minor" : name),
      currencySource: format == .amount ? currency ?? "currency" : nil, line: mapping.line)
  }
}
