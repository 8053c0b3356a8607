/// One of several tables on a sheet, in the spreadsheet's sense: a named range whose heading filters its own rows.
///
/// A sheet itself has only one filter. Further ones belong to table parts (ECMA-376 part 1, 18.5.1), which the library
/// does not write in constant memory. A table has no style, so no cell looks different.
struct SheetTable: Equatable {
  /// Unique in the workbook, and never a valid cell address.
  let name: String
  /// From the heading to the last row, e.g. `A2:F17`.
  let range: String
  /// As in the cells.
  private let headings: [String]

  /// - Parameters:
  ///   - report: The name of the report, in lower-case letters, digits and underscores.
  ///   - headingRow: Counted from 0, as is `lastRow`.
  /// - Returns: nil where the format allows no table: one without rows, or with two equal headings.
  init?(report: String, headings: [String], headingRow: Int, lastRow: Int) {
    let headings = headings.map { heading in
      Array(heading.utf8).withUnsafeBytes { String(decoding: CellText($0, limit: 255).bytes, as: UTF8.self) }
    }
    guard lastRow > headingRow, headings.allSatisfy({ !$0.isEmpty }),
      Set(headings.map { $0.lowercased() }).count == headings.count
    else { return nil }
    name = "report_\(report)"
    range = "A\(headingRow + 1):\(CellAddress.letters(headings.count - 1))\(lastRow + 1)"
    self.headings = headings
  }

  /// The content of `xl/tables/table<number>.xml`.
  func part(number: Int) -> String {
    let columns = headings.enumerated().map { index, heading in
      "<tableColumn id=\"\(index + 1)\" name=\"\(Self.escaped(heading))\"/>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="\(number)" name="\(name)" \
      displayName="\(name)" ref="\(range)" totalsRowShown="0"><autoFilter ref="\(range)"/>\
      <tableColumns count="\(columns.count)">\(columns.joined())</tableColumns>\
      <tableStyleInfo showFirstColumn="0" showLastColumn="0" showRowStripes="0" showColumnStripes="0"/></table>
      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

extension WorkbookArchive {
  private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships"
  private static let contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"

  /// Adds the parts of tables, and refers to them from the package and their sheets.
  ///
  /// - Parameter tables: Those of each sheet, in the order of the sheets; numbered from 1 through the workbook.
  func add(_ tables: [[SheetTable]]) throws(ReportError) {
    var number = 0
    var types = ""
    for (index, ofSheet) in tables.enumerated() where !ofSheet.isEmpty {
      var relationships = ""
      for table in ofSheet {
        number += 1
        try put("xl/tables/table\(number).xml", table.part(number: number))
        relationships +=
          "<Relationship Id=\"\(Self.relation(to: number))\" Type=\"\(Self.relations)/table\" "
          + "Target=\"../tables/table\(number).xml\"/>"
        types += "<Override PartName=\"/xl/tables/table\(number).xml\" ContentType=\"\(Self.contentType)\"/>"
      }
      let name = "xl/worksheets/_rels/sheet\(index + 1).xml.rels"
      let empty =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        + "<Relationships xmlns=\"\(Self.packageRelations)\"></Relationships>"
      try put(name, try inserting(relationships, before: "</Relationships>", in: try text(of: name) ?? empty, of: name))
    }
    guard number > 0 else { return }
    let name = "[Content_Types].xml"
    try put(name, try inserting(types, before: "</Types>", in: try text(of: name) ?? "", of: name))
  }

  /// The element of a sheet that refers to its tables; the last one except for extensions, which our sheets do not
  /// have.
  static func element(naming numbers: Range<Int>) -> String {
    guard !numbers.isEmpty else { return "" }
    let parts = numbers.map { "<tablePart r:id=\"\(relation(to: $0))\"/>" }
    return "<tableParts count=\"\(numbers.count)\">\(parts.joined())</tableParts>"
  }

  private static func relation(to number: Int) -> String { "rIdTable\(number)" }

  private func inserting(_ text: String, before mark: String, in whole: String, of name: String) throws(ReportError)
    -> String
  {
    guard let place = whole.range(of: mark) else {
      throw .workbook(place: name, reason: "it does not end with \(mark)")
    }
    return whole[..<place.lowerBound] + text + whole[place.lowerBound...]
  }
}
