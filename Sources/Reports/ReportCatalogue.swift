import Foundation
import Storage

/// Every report that a run writes: ours, and those of further folders.
package struct ReportCatalogue: Sendable {
  /// In the order of their sheets.
  package let reports: [ReportDefinition]
  /// Reports that are split into statements for connected accounts; written only on request.
  package let statements: [ReportDefinition]

  /// The folder of `reports/` with the figures of the summary; it is not a report itself.
  package static let summaryFolder = "summary"

  /// Reads the definitions of every folder, ours first; each report is one folder. The queries of the other folders are
  /// limited.
  ///
  /// - Throws: `ReportError.badDefinition` with file and line.
  package init(folders: [String]) throws(ReportError) {
    var reports: [ReportDefinition] = []
    for folder in folders {
      for name in try Self.names(in: folder) {
        reports.append(try Self.definition(name, in: folder))
        if folder == folders.first { reports[reports.count - 1].limits = .ours }
      }
    }
    try Self.refuseTwins(reports)
    statements = reports.filter { $0.statement != nil }.sorted { $0.name < $1.name }
    reports.removeAll { $0.statement != nil }
    try Self.refuseDangling(reports)
    self.reports = reports.sorted { ($0.sheet.position, $0.name) < ($1.sheet.position, $1.name) }
  }

  /// Checks with the database that every query runs and yields the columns that its layout names, without reading a
  /// row.
  ///
  /// - Throws: `ReportError.badDefinition` with the line of the column in layout.yml, `ReportError.queryFailed` with
  ///   the query's file and line.
  package func examine(in database: any Database, range: ReportRange) throws {
    for report in reports + statements { try report.examine(in: database, range: range) }
  }

  private static func names(in folder: String) throws(ReportError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw .badDefinition(
        path: folder, line: 0, reason: "no folder of reports can be read here; see `reports:` in the configuration")
    }
    return names.sorted().filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      return exists && isFolder.boolValue && name != summaryFolder && !name.hasPrefix(".")
    }
  }

  private static func definition(_ name: String, in folder: String) throws(ReportError) -> ReportDefinition {
    let folder = "\(folder)/\(name)"
    guard name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }) else {
      throw .badDefinition(
        path: folder, line: 0, reason: "a report's folder is named with lower-case letters, digits and underscores")
    }
    let layout = try LayoutReader(path: "\(folder)/layout.yml").read(try text("\(folder)/layout.yml"))
    let query = try ReportQuery(try text("\(folder)/query.sql"), path: "\(folder)/query.sql")
    return ReportDefinition(
      name: name, folder: folder, title: layout.title, description: layout.description, destination: layout.destination,
      sheet: layout.sheet, columns: layout.columns, standsInFor: layout.standsInFor, statement: layout.statement,
      query: query)
  }

  private static func text(_ path: String) throws(ReportError) -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .badDefinition(
        path: path, line: 0, reason: "cannot be read as UTF-8; a report is a folder with query.sql and layout.yml")
    }
    return text
  }

  /// Refuses duplicates: two reports of one name would write the same file, and the workbook refuses two sheets of one
  /// name.
  private static func refuseTwins(_ reports: [ReportDefinition]) throws(ReportError) {
    var names: [String: String] = [:]
    var sheets = ["summary/1": "the summary", "definitions/1": "the definitions"]
    for report in reports {
      if let other = names.updateValue(report.folder, forKey: report.name) {
        throw .badDefinition(
          path: report.layoutPath, line: 0, reason: "another report is called \(report.name) too: \(other)")
      }
      guard report.destination.includesSheet, report.statement == nil else { continue }
      if let other = sheets.updateValue(
        report.layoutPath, forKey: "\(report.sheet.name.lowercased())/\(report.sheet.block)")
      {
        throw .badDefinition(
          path: report.layoutPath, line: 0,
          reason: "another table is at block \(report.sheet.block) of the sheet \(report.sheet.name) too: \(other)")
      }
    }
  }

  /// Refuses references of formulas, links and stand-ins that lead nowhere.
  private static func refuseDangling(_ reports: [ReportDefinition]) throws(ReportError) {
    let columns = Dictionary(
      uniqueKeysWithValues: reports.map { report in
        (
          report.name,
          Set(report.columns.filter { $0.destination.includesSheet && report.destination.includesSheet }.map(\.name))
        )
      })
    for report in reports {
      if let other = report.standsInFor, columns[other] == nil {
        throw .badDefinition(path: report.layoutPath, line: 0, reason: "stands_in_for: no report is called \(other)")
      }
      for column in report.columns {
        for (other, name) in column.references(in: report.name) where columns[other]?.contains(name) != true {
          throw .badDefinition(
            path: report.layoutPath, line: column.line,
            reason: "\(column.name): no sheet has the column \(name) of \(other)")
        }
      }
    }
  }
}

extension ReportColumn {
  /// The columns that its formula and its link name, each with its report.
  fileprivate func references(in report: String) -> [(report: String, column: String)] {
    var references = (formula?.parts ?? []).compactMap { part -> (report: String, column: String)? in
      switch part {
      case .text: nil
      case .cell(let column): (report, column)
      case .range(let other, let column): (other, column)
      }
    }
    if case .row(let other, let column) = link { references.append((other, column)) }
    return references
  }
}

extension ReportDefinition {
  /// Selects its columns from the query with `limit 0`: the database checks the names and reads nothing.
  func examine(in database: any Database, range: ReportRange) throws(ReportError) {
    do {
      try database.examine(query.sql)
      try probe("1 as probe", in: database, range: range)
    } catch { throw .refused(queryPath, error, in: query.sql) }
    for source in statement == nil ? [] : StatementRule.sources {
      do { try probe("probed.\(source)", in: database, range: range) } catch {
        throw .badDefinition(path: queryPath, line: 0, reason: "a statement's query yields a column \(source)")
      }
    }
    let sources = columns.flatMap(\.sources).map { "probed.\($0)" }
    if (try? probe(sources.joined(separator: ", "), in: database, range: range)) != nil { return }
    for column in columns {
      for source in column.sources {
        do { try probe("probed.\(source)", in: database, range: range) } catch {
          throw .badDefinition(
            path: layoutPath, line: column.line, reason: "\(column.name): the query yields no column \(source)")
        }
      }
    }
  }

  private func probe(_ columns: String, in database: any Database, range: ReportRange) throws {
    try database.query("select \(columns) from (\(query.sql)\n) as probed limit 0", query.values(range), within: limits)
    { _ in }
  }
}
