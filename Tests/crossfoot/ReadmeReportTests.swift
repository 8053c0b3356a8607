import Foundation
import TestSupport
import Testing

/// The report of docs/extending.md, word for word: a team follows it and nothing else.
@Suite("The report of the documents", .onItsOwnThread, .serialized)
struct ReadmeReportTests {
  @Test(
    "Word for word it is a CSV file, a sheet with totals, and lines on Definitions; its formulas have their values"
  )
  func added() async throws {
    let example = try Example()
    try await NightSite.serve(orders: 120) { site in
      try await site.run().expect(0)
      let before = try site.published()
      try example.write(to: site)
      let ended = try await site.run("run", ["--no-pull"])
      #expect(ended.status == 0, "\(ended.errors)")
      let after = try site.published()
      for (name, content) in before where name.hasSuffix(".csv") { #expect(after[name] == content, "\(name)") }

      let place = "\(site.folder.path)/output/\(site.range())"
      let rows = try CSVTable("\(place)/refunds_by_day.csv").rows
      let refunds = try CSVTable("\(place)/entries.csv").rows.filter { $0["kind"] == "refund" }
      #expect(rows.count > 1 && Self.sums(rows, "refunded") == Self.sums(refunds, "amount"))
      #expect(try site.folder.read("output/\(site.range())/run.json").contains("\"refunds_by_day.csv\""))

      guard WorkbookFile.canBeRead else { return }
      let workbook = WorkbookFile("\(place)/reconciliation.xlsx")
      let sheet = try await workbook.rows("Refunds by day")
      #expect(sheet[0] == ["Day", "Provider", "Currency", "Refunded", "Of all entries"])
      #expect(
        sheet.dropFirst().prefix(rows.count).map { Decimal(string: $0[3]) }
          == rows.map { Decimal(string: $0["refunded"] ?? "") })
      let totals = sheet.filter { $0[0].hasPrefix("Total ") }.map { ($0[0].dropFirst(6), Decimal(string: $0[3])) }
      #expect(Dictionary(uniqueKeysWithValues: totals.map { (String($0), $1 ?? .nan) }) == Self.sums(rows, "refunded"))
      let definitions = try await workbook.rows("Definitions")
      #expect(definitions.contains(["Refunds by day", "Day", "day", "The business day."]))
      let compared = try await workbook.compare(with: workbook.recalculated(into: site.folder.path + "/recalculated"))
      #expect(
        compared.sheets.suffix(2) == ["Refunds by day", "Definitions"] && compared.differences.isEmpty,
        "\(compared.differences)")
    }
  }

  /// A mistake in the example: its file, what is written wrong, and what is said of it.
  static let mistakes: [(file: String, right: String, wrong: String, said: String)] = [
    ("layout.yml", "header: Currency", "headr: Currency", "headr"),
    ("layout.yml", "format: date", "format: day", "format"),
    ("layout.yml", "position: 500", "position: last", "position"),
    ("layout.yml", "name: day,", "name: days,", "days: the query yields no column days"),
    ("layout.yml", "{entries.amount}", "{entries.amounts}", "share: no sheet has the column amounts of entries"),
    ("query.sql", "from entry e\n", "from entries e\n", "no such table: entries"),
    ("query.sql", "group by d.day", "grup by d.day", "syntax error"),
  ]

  @Test("A mistake in it is reported with file and line, before anything is asked, read or written")
  func mistaken() async throws {
    let example = try Example()
    try await NightSite.serve(orders: 20) { site in
      try example.write(to: site)
      for mistake in Self.mistakes {
        let text = try #require(example.files[mistake.file])
        let place = try #require(text.range(of: mistake.right)?.lowerBound, "\(mistake.right)")
        let line = text[..<place].count { $0 == "\n" } + 1
        try site.folder.write(
          "our-reports/refunds_by_day/\(mistake.file)", text.replacing(mistake.right, with: mistake.wrong))
        let ended = try await site.run()
        #expect(ended.status == 78 && ended.output.isEmpty, "\(mistake): \(ended.output)")
        #expect(
          ended.errors.hasPrefix("crossfoot: \(site.folder.path)/our-reports/refunds_by_day/\(mistake.file):\(line): ")
            && ended.errors.contains(mistake.said), "\(mistake): \(ended.errors)")
        try site.folder.write("our-reports/refunds_by_day/\(mistake.file)", text)
      }
      #expect(site.link() == nil && !FileManager.default.fileExists(atPath: site.folder.path + "/landing/stripe"))
    }
  }

  /// Per currency.
  private static func sums(_ rows: [[String: String]], _ column: String) -> [String: Decimal] {
    rows.reduce(into: [:]) { $0[$1["currency"] ?? "", default: 0] += Decimal(string: $1[column] ?? "") ?? 0 }
  }
}

/// What docs/extending.md says under "A report": the line of the configuration, and the two files of the folder.
private struct Example {
  let configuration: String
  let folder: String
  let files: [String: String]

  init() throws {
    let document = try String(contentsOfFile: NightSite.checkout + "/docs/extending.md", encoding: .utf8)
    let section = try #require(
      document.components(separatedBy: "\n## 2. A report\n").last?.components(separatedBy: "\n## ").first)
    let quoted = section.components(separatedBy: "`")
    configuration = try #require(quoted.first { $0.hasPrefix("reports: [") })
    folder = try #require(quoted.first { $0.hasSuffix("/layout.yml") }).replacing("/layout.yml", with: "")
    files = ["layout.yml": try Self.block("yaml", of: section), "query.sql": try Self.block("sql", of: section)]
  }

  func write(to site: NightSite) throws {
    for (name, text) in files { try site.folder.write("\(folder)/\(name)", text) }
    try site.configure(further: configuration + "\n")
  }

  private static func block(_ language: String, of section: String) throws -> String {
    try #require(
      section.components(separatedBy: "```\(language)\n").dropFirst().first?.components(separatedBy: "```").first)
  }
}
