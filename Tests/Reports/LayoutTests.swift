import Foundation
import Testing

@testable import Reports

/// Mistakes in a team's own report: each is reported with its file and line before anything runs.
@Suite struct LayoutTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let layout: String
    let line: Int
    let said: String
    var testDescription: String { said }
  }

  static let mistakes = [
    Mistake(layout: "titel: X\n", line: 1, said: "unknown key \"titel\" in a layout; did you mean \"title\"?"),
    Mistake(
      layout: "title: X\ngoes_to: paper\ncolumns:\n  - {name: a, format: text}\n", line: 2,
      said: "goes_to: \"paper\" is none of csv"),
    Mistake(
      layout: "title: X\ncolumns:\n  - {name: a, format: text}\n  - {name: b, format: money}\n", line: 4,
      said: "\"money\" is none of"),
    Mistake(
      layout: "title: X\ncolumns:\n  - name: a\n    format: text\n    widht: 3\n", line: 5,
      said: "did you mean \"width\"?"),
    Mistake(layout: "title: X\ncolumns:\n  - {name: A b, format: text}\n", line: 3, said: "\"A b\" is no column"),
    Mistake(
      layout: "title: X\ncolumns:\n  - {name: a, format: text, currency: c}\n", line: 3, said: "of format amount only"),
    Mistake(
      layout: "title: X\ncolumns:\n  - {name: a, format: text}\n  - {name: a, format: text}\n", line: 4,
      said: "repeated"),
    Mistake(
      layout: "title: X\nsheet: {name: 'a/b'}\ncolumns:\n  - {name: a, format: text}\n", line: 2,
      said: "no name of a sheet"),
    Mistake(layout: "title: X\ncolumns: []\n", line: 2, said: "at least one column"),
    Mistake(layout: "title: X\ncolumns:\n  - {format: text}\n", line: 3, said: "name is missing"),
    Mistake(layout: "title: X\ncolumns: [\n", line: 3, said: "no YAML"),
    Mistake(layout: "- a\n", line: 1, said: "expected a layout"),
    Mistake(
      layout: "title: X\ncolumns:\n  - {name: a, format: text, width: wide}\n", line: 3, said: "expected a width"),
  ]

  @Test(arguments: mistakes)
  func `a mistake in layout.yml is reported with its line`(mistake: Mistake) throws {
    try Night.folder { folder in
      try Self.report("own", layout: mistake.layout, query: "select 1 as a", in: folder)
      let error = try #require(throws: ReportError.self) { try ReportCatalogue(folders: [folder]) }
      #expect("\(error)".hasPrefix("\(folder)/own/layout.yml:\(mistake.line): "), "\(error)")
      #expect("\(error)".contains(mistake.said), "\(error)")
    }
  }

  @Test func `a column that the query does not yield is reported with the line of the layout`() throws {
    try Night.store { database in
      try Night.folder { folder in
        let layout = "title: Own\ncolumns:\n  - {name: day, format: text}\n  - {name: total, format: amount}\n"
        try Self.report(
          "own", layout: layout, query: "-- Days.\nselect $3 as day, 1 as totl_minor, 'EUR' as currency;\n", in: folder)
        let catalogue = try ReportCatalogue(folders: [Night.reports, folder])
        let error = try #require(throws: ReportError.self) { try catalogue.examine(in: database, range: Night.range) }
        #expect("\(error)" == "\(folder)/own/layout.yml:4: total: the query yields no column total_minor")
      }
    }
  }

  @Test func `a query that the database refuses is reported with its file and line`() throws {
    try Night.store { database in
      try Night.folder { folder in
        try Self.report(
          "own", layout: "title: Own\ncolumns:\n  - {name: a, format: text}\n", query: "-- x\n\nselect a from nowhere",
          in: folder
        )
        let catalogue = try ReportCatalogue(folders: [folder])
        let error = try #require(throws: ReportError.self) { try catalogue.examine(in: database, range: Night.range) }
        #expect("\(error)".hasPrefix("\(folder)/own/query.sql"), "\(error)")
        #expect("\(error)".contains("no such table: nowhere"), "\(error)")
      }
    }
  }

  @Test(arguments: [
    ("select 1 as a; select 2 as a", 1, "one statement"), ("select 1\n  + $5 as a", 2, "$5 means nothing"),
    ("-- only", 1, "expected one"),
  ])
  func `a query is one statement over the range`(query: String, line: Int, said: String) throws {
    let error = try #require(throws: ReportError.self) { try ReportQuery(query, path: "query.sql") }
    #expect("\(error)".hasPrefix("query.sql:\(line): ") && "\(error)".contains(said), "\(error)")
  }

  @Test func `places are numbered without a gap, comments and quoted text aside`() throws {
    let query = try ReportQuery("-- $1\nselect '$3 -- ;', $4, $2, $4 -- $3\n;\n", path: "query.sql")
    #expect(query.sql == "\nselect '$3 -- ;', $1, $2, $1")
    #expect(query.values(Night.range) == [.text("2026-03-01"), .integer(1_772_409_600)])
  }

  @Test func `a team's folder adds a file, a sheet and definitions`() throws {
    try Night.store { database in
      try Night.folder { folder in
        let layout = """
          title: Big entries
          columns:
            - {name: entry_id, header: Entry, format: word, definition: "Its id."}
            - {name: amount, header: Amount, format: amount}
          """
        let query =
          "select entry_id, amount_minor, currency from entry where booked_at < $2 order by amount_minor desc limit 1"
        try Self.report("big_entries", layout: layout, query: query, in: folder + "/more")
        let run = ReportRun(
          catalogue: try ReportCatalogue(folders: [Night.reports, folder + "/more"]), range: Night.range)
        try run.write(from: database, summary: Night.summary(database), into: folder)
        try #expect(Night.text(folder + "/big_entries.csv") == "entry_id,amount\ned,5.120\n")
      }
    }
  }

  @Test func `two reports of one name are refused`() throws {
    try Night.folder { folder in
      try Self.report(
        "entries", layout: "title: E\ncolumns:\n  - {name: a, format: text}\n", query: "select 1 as a", in: folder)
      let error = try #require(throws: ReportError.self) { try ReportCatalogue(folders: [Night.reports, folder]) }
      #expect("\(error)".contains("another report is called entries"), "\(error)")
    }
  }

  private static func report(_ name: String, layout: String, query: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    try layout.write(toFile: "\(folder)/\(name)/layout.yml", atomically: true, encoding: .utf8)
    try query.write(toFile: "\(folder)/\(name)/query.sql", atomically: true, encoding: .utf8)
  }
}
