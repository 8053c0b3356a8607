import Yams

/// Reads a `layout.yml`; every mistake is reported with file and line.
struct LayoutReader {
  let path: String

  /// The contents of a layout; with the query and the folder it becomes a `ReportDefinition`.
  struct Layout {
    let title: String
    let description: String
    let destination: ReportDestination
    let sheet: SheetPlace
    let columns: [ReportColumn]
    let standsInFor: String?
    let statement: StatementRule?
  }

  /// The position of a sheet for which the layout gives none.
  private static let lastPosition = 1000

  func read(_ text: String) throws(ReportError) -> Layout {
    let root = LayoutMapping(try compose(text), path: path, what: "a layout")
    try root.refuseUnknown(besides: [
      "title", "description", "goes_to", "sheet", "columns", "stands_in_for", "statement",
    ])
    let title = try root.text("title")
    let columns = try columns(root)
    return Layout(
      title: title, description: try root.optionalText("description") ?? "", destination: try destination(root),
      sheet: try sheet(root, title: title, columns), columns: columns,
      standsInFor: try root.optionalIdentifier("stands_in_for"),
      statement: try statement(root, columns))
  }

  /// All scalars are read as text here: `LayoutMapping` decides which of them is a number or a flag.
  private func compose(_ text: String) throws(ReportError) -> Node {
    do {
      guard let node = try Yams.compose(yaml: text, .basic), node.mapping != nil else {
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

  private func sheet(_ root: LayoutMapping, title: String, _ columns: [ReportColumn]) throws(ReportError) -> SheetPlace
  {
    guard let node = root["sheet"] else {
      return try place(name: title, position: Self.lastPosition, line: root.line)
    }
    let sheet = LayoutMapping(node, path: path, what: "sheet")
    try sheet.refuseUnknown(besides: ["name", "position", "block", "shows"])
    let position = try sheet.optionalInteger("position") ?? Self.lastPosition
    var place = try place(name: try sheet.optionalText("name") ?? title, position: position, line: sheet.line)
    place.block = try sheet.optionalInteger("block") ?? 1
    place.shows = try sheet.texts("shows")
    for name in place.shows where !columns.contains(where: { $0.name == name && $0.destination.includesSheet }) {
      throw .badDefinition(
        path: path, line: sheet["shows"]?.line ?? sheet.line, reason: "shows: the sheet has no column \(name)")
    }
    return place
  }

  private func place(name: String, position: Int, line: Int) throws(ReportError) -> SheetPlace {
    let isNamed = (1...31).contains(name.utf16.count) && !name.contains { "[]:*?/\\".contains($0) }
    guard isNamed, name.first != "'", name.last != "'" else {
      throw .badDefinition(
        path: path, line: line,
        reason: "\"\(name)\" is no name of a sheet; expected 1 to 31 characters, none of [ ] : * ? / \\")
    }
    return SheetPlace(name: name, position: position)
  }

  private func columns(_ root: LayoutMapping) throws(ReportError) -> [ReportColumn] {
    guard let node = root["columns"], let list = node.sequence, !list.isEmpty else {
      throw .badDefinition(
        path: path, line: root["columns"]?.line ?? root.line,
        reason: "columns: expected a list with at least one column")
    }
    var columns: [ReportColumn] = []
    for node in list {
      let column = try self.column(LayoutMapping(node, path: path, what: "a column"))
      if columns.contains(where: { $0.name == column.name }) {
        throw .badDefinition(path: path, line: column.line, reason: "the column \(column.name) is repeated")
      }
      columns.append(column)
    }
    return columns
  }

  private func column(_ mapping: LayoutMapping) throws(ReportError) -> ReportColumn {
    try mapping.refuseUnknown(
      besides: [
        "name", "header", "format", "width", "definition", "source", "currency", "link", "formula", "total", "goes_to",
        "choices", "highlight",
      ])
    let name = try mapping.identifier("name")
    let format = try mapping.word("format", CellFormat.self)
    let currency = try mapping.optionalIdentifier("currency")
    if currency != nil, format != .amount {
      throw .badDefinition(
        path: path, line: mapping.line, reason: "\(name): currency belongs to columns of format amount only")
    }
    var column = ReportColumn(
      name: name, header: try mapping.optionalText("header") ?? name, format: format, width: try mapping.width("width"),
      definition: try mapping.optionalText("definition") ?? "",
      source: try mapping.optionalIdentifier("source") ?? (format == .amount ? "\(name)_minor" : name),
      currencySource: format == .amount ? currency ?? "currency" : nil, line: mapping.line)
    column.link = try link(mapping)
    column.formula = try formula(mapping, format)
    column.hasTotal = try mapping.flag("total")
    if mapping["goes_to"] != nil { column.destination = try mapping.word("goes_to", ReportDestination.self) }
    column.choices = try mapping.texts("choices")
    column.highlights = try mapping.looks("highlight")
    if column.hasTotal, format != .amount, format != .integer {
      throw .badDefinition(
        path: path, line: mapping.line, reason: "\(name): total belongs to columns of format amount or integer")
    }
    return column
  }

  /// Which amounts change which balance. A statement goes to somebody else, so no cell on it may have a link.
  private func statement(_ root: LayoutMapping, _ columns: [ReportColumn]) throws(ReportError) -> StatementRule? {
    guard let node = root["statement"] else { return nil }
    let mapping = LayoutMapping(node, path: path, what: "statement")
    try mapping.refuseUnknown(besides: ["balance", "adds", "subtracts"])
    let rule = StatementRule(
      balance: try mapping.identifier("balance"), adds: try mapping.texts("adds"),
      subtracts: try mapping.texts("subtracts"))
    for name in [rule.balance] + rule.adds + rule.subtracts
    where !columns.contains(where: { $0.name == name && $0.format == .amount && $0.destination == .both }) {
      throw .badDefinition(
        path: path, line: node.line, reason: "statement: no column of format amount is called \(name)")
    }
    if root["stands_in_for"] != nil {
      throw .badDefinition(path: path, line: node.line, reason: "statement: a statement cannot replace another report")
    }
    for column in columns where column.link != nil || column.formula != nil || !column.choices.isEmpty {
      throw .badDefinition(
        path: path, line: column.line,
        reason: "\(column.name): a column of a statement has neither link nor formula nor choices")
    }
    return rule
  }

  /// `dashboard`, or `report.column`.
  private func link(_ mapping: LayoutMapping) throws(ReportError) -> ColumnLink? {
    guard let text = try mapping.optionalText("link") else { return nil }
    if text == "dashboard" { return .dashboard }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, !names.contains("") else {
      throw .badDefinition(
        path: path, line: mapping["link"]?.line ?? mapping.line,
        reason: "link: \"\(text)\" is neither dashboard nor report.column")
    }
    return .row(report: names[0], column: names[1])
  }

  private func formula(_ mapping: LayoutMapping, _ format: CellFormat) throws(ReportError) -> CellFormula? {
    guard let text = try mapping.optionalText("formula") else { return nil }
    guard [.amount, .integer, .share, .word].contains(format) else {
      throw .badDefinition(
        path: path, line: mapping.line, reason: "formula belongs to columns of format amount, integer, share or word")
    }
    do {
      return try CellFormula(text)
    } catch {
      throw .badDefinition(path: path, line: mapping["formula"]?.line ?? mapping.line, reason: "formula: \(error)")
    }
  }
}
