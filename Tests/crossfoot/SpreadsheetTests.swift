import Foundation
import TestSupport
import Testing

/// The workbook of a demo night of every provider, opened, computed and saved by programs that none of us wrote.
@Suite(
  "The workbook in other programs", .onItsOwnThread, .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"),
  .serialized)
struct SpreadsheetTests {
  @Test("LibreOffice computes every formula to the value that was saved; openpyxl and xmllint read every part")
  func recalculated() async throws {
    let (folder, saved) = try DemoNight.publish()
    let compared = try await saved.compare(with: saved.recalculated(into: folder.path + "/recalculated"))
    #expect(compared.differences.isEmpty, "\(compared.differences.prefix(5))")
    #expect(
      compared.formulas > 1000 && compared.cells > 20_000, "\(compared.formulas) formulas in \(compared.cells) cells")
    #expect(
      compared.sheets == [
        "Summary", "Discrepancies", "Ageing", "Opened and cleared", "Roll-forward", "Closing items", "Fund flows",
        "Fees",
        "Connected accounts", "Orders", "Payouts",
        "Entries", "Prior periods", "Sources", "Quarantine",
        "Definitions",
      ])
    let definitions = try await saved.rows("Definitions")
    #expect(definitions.allSatisfy { !$0[3].isEmpty && !$0[3].contains("{") })
    let summary = try await saved.rows("Summary")
    let figures = try #require(summary.first { $0.contains("Captured") })
    #expect(
      Set(figures[2...].filter { !$0.isEmpty }).isSubset(of: definitions.filter { $0[0] == "Summary" }.map { $0[1] }))
    let (parts, said) = try await saved.lint(in: folder.path + "/parts")
    #expect(said.isEmpty && parts.count > 20, "\(parts.count) parts: \(said)")
    #expect(!parts.contains { $0.contains("vbaProject") || $0.contains("externalLink") })
  }

  @Test("Rates are of what each method took; payouts are in our words, orders have their date, sentences are prose")
  func daily() async throws {
    let (folder, saved) = try DemoNight.publish()
    func column(_ name: String, _ rows: [[String]], heading: Int = 0) throws -> Int {
      try #require(rows[heading].firstIndex(of: name), "\(name)")
    }
    let fees = try await saved.rows("Fees")
    let (amount, taken, rate) = (
      try column("Amount", fees, heading: 1), try column("Taken by the method", fees, heading: 1),
      try column("Effective rate", fees, heading: 1)
    )
    let rated = fees.dropFirst(2).prefix { !$0[0].isEmpty }
    for row in rated {
      let (fee, of, found) = (Double(row[amount]) ?? 0, Double(row[taken]) ?? 0, Double(row[rate]) ?? -1)
      #expect(abs(found - (of == 0 ? 0 : fee / of)) < 0.000_001, "\(row)")
    }
    #expect(Set(rated.filter { $0[0] == "stripe" }.map { $0[taken] }).count > 2, "each method has a volume of its own")
    let payouts = try await saved.rows("Payouts")
    let stands = try column("Stands", payouts, heading: 1)
    #expect(
      payouts.dropFirst(2).prefix { !$0[0].isEmpty }.allSatisfy {
        ["paid", "on its way", "pending", "failed", "returned"].contains($0[stands])
      })
    let orders = try await saved.rows("Orders")
    let (order, placed) = (try column("Order", orders), try column("Placed (UTC)", orders))
    #expect(orders.dropFirst().allSatisfy { $0[order].isEmpty == $0[placed].isEmpty })
    let discrepancies = try await saved.rows("Discrepancies")
    let (type, explanation) = (try column("Type", discrepancies), try column("Explanation", discrepancies))
    #expect(
      discrepancies.dropFirst().allSatisfy {
        !$0[type].contains("_") && $0[explanation].firstMatch(of: /\dT\d\d:|\d{4}\.\d\d [A-Z]{3}/) == nil
      })
    #expect(discrepancies.contains { $0[explanation].firstMatch(of: /\d,\d{3}\.\d\d [A-Z]{3}/) != nil })
    let (parts, _) = try await saved.lint(in: folder.path + "/parts")
    func part(_ name: String) throws -> String {
      try String(contentsOfFile: try #require(parts.first { $0.hasSuffix(name) }), encoding: .utf8)
    }
    let names = try part("xl/workbook.xml")
    for (sheet, last) in [
      ("Fees", rated.count + 2), ("Payouts", payouts.dropFirst(2).prefix { !$0[0].isEmpty }.count + 2),
    ] {
      #expect(names.contains("\(sheet)!$1:$2"), "the heading is repeated on each page of \(sheet)")
      #expect(
        names.firstMatch(of: try Regex("_xlnm.Print_Area\"[^>]*>\(sheet)!\\$A\\$1:\\$[A-Z]+\\$\(last)<")) != nil,
        "\(sheet) prints its first table")
    }
    #expect(try part("xl/worksheets/sheet8.xml").contains("<pane ySplit=\"2\""))
  }

  @Test("Every table of a sheet has a filter over all its rows, in LibreOffice too")
  func filters() async throws {
    let (folder, saved) = try DemoNight.publish()
    let filters = try await saved.filters()
    let again = try await saved.recalculated(into: folder.path + "/recalculated").filters()
    for (sheet, filters) in filters where sheet != "Summary" {
      let rows = try await saved.rows(sheet)
      let isStacked = ["Ageing", "Opened and cleared", "Fees", "Payouts"].contains(sheet)
      let rowless = isStacked ? rows.count { $0.first == "None." } : 0
      #expect(filters.count == (isStacked ? 2 : 1) - rowless, "\(sheet): \(filters.map(\.range))")
      #expect(again[sheet]?.map(\.range) == filters.map(\.range), "\(sheet)")
      for filter in filters {
        let bounds = try #require(filter.range.wholeMatch(of: /A([0-9]+):[A-Z]+([0-9]+)/))
        let (heading, last) = (try #require(Int(bounds.1)), try #require(Int(bounds.2)))
        #expect(Array(rows[heading - 1].prefix(filter.heading.count)) == filter.heading)
        #expect(isStacked == (heading > 1), "the first row of a sheet with several tables is a title")
        #expect((heading..<last).allSatisfy { !rows[$0].allSatisfy(\.isEmpty) }, "\(sheet) \(filter.range)")
        // Below it is nothing or a note, which is in the first column.
        let below = rows.indices.contains(last) ? rows[last].dropFirst().filter { !$0.isEmpty } : []
        #expect(below == [], "\(sheet): a row below \(filter.range) is not in it")
      }
    }
    #expect(filters["Summary"] == [])
  }

  @Test("One wrong saved value is found, as that cell and no other, and only when formulas are computed anew")
  func wrongValue() async throws {
    let (folder, saved) = try DemoNight.publish()
    // No link is in the row: a spreadsheet computes what reads a link's cell in any case.
    let wrong = try await saved.changing("Connected accounts", "E2", to: "12345.67", into: folder.path + "/wrong.xlsx")
    let compared = try await wrong.compare(with: wrong.recalculated(into: folder.path + "/recalculated"))
    #expect(compared.differences.map(\.cell) == ["Connected accounts!E2"])
    let difference = try #require(compared.differences.first)
    #expect(difference.saved == "12345.67" && difference.formula.hasPrefix("=ROUND((SUMIFS(Entries!"), "\(difference)")
    let plain = try await wrong.compare(with: wrong.recalculated(into: folder.path + "/plain", recalculating: false))
    #expect(plain.differences.isEmpty, "a plain conversion shows the saved values: \(plain.differences)")
  }

  @Test("A damaged workbook is refused: the test can fail")
  func damaged() async throws {
    let (folder, saved) = try DemoNight.publish()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: saved.path))
    let damaged = WorkbookFile(folder.path + "/damaged.xlsx")
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: damaged.path))
    await #expect(throws: LibreOffice.Refusal.self) {
      try await damaged.recalculated(into: folder.path + "/recalculated")
    }
    await #expect(throws: (any Error).self) { try await damaged.rows("Summary") }
  }
}

/// What leads somewhere, and what a night does that no sheet can hold.
@Suite(
  "The workbook's links and limits", .onItsOwnThread, .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"),
  .serialized)
struct WorkbookLinkTests {
  @Test(
    "A discrepancy leads to its order and payment and back; payouts to their rows; ids to the configured dashboard"
  )
  func links() async throws {
    let (folder, _) = try DemoNight.publish()
    let saved = try DemoNight.publishAgain(
      in: folder, further: "dashboards: {stripe: \"https://dashboard.example.com/payments/{id}\"}\n")
    for (sheet, other) in [
      ("Discrepancies", "Orders"), ("Discrepancies", "Fund flows"), ("Payouts", "Payouts"),
      ("Connected accounts", "Entries"),
    ] {
      let links = Link.all(try await saved.formulas(sheet)).filter { $0.sheet == other }
      let rows = try await saved.rows(other)
      #expect(links.count > 10, "\(sheet) to \(other)")
      for link in links {
        let there = rows[link.row - 1][link.column].split(separator: " ")
        #expect(
          there.contains { link.text.split(separator: " ").contains($0) }, "\(sheet)!\(link.cell) leads to \(there)")
      }
    }
    let discrepancies = try await saved.rows("Discrepancies")
    for sheet in ["Orders", "Fund flows"] {
      let links = Link.all(try await saved.formulas(sheet)).filter { $0.sheet == "Discrepancies" }
      #expect(links.count > 10 && links.allSatisfy { discrepancies[$0.row - 1][$0.column] == $0.text }, "\(sheet)")
    }
    let payments = try await saved.formulas("Fund flows").values.filter { $0.contains("dashboard.example.com") }
    #expect(
      payments.count > 20
        && payments.allSatisfy { $0.hasPrefix("=HYPERLINK(\"https://dashboard.example.com/payments/") })
    let (summary, open) = (Link.all(try await saved.formulas("Summary")), discrepancies)
    for link in summary where link.sheet == "Discrepancies" {
      #expect(open[link.row - 1].contains(link.text), "\(link.text)")
    }
    #expect(summary.contains { $0.sheet == "Discrepancies" && $0.text == "high" })
  }

  @Test("Beyond maximum_rows a sheet says so and names the file, and the sums are those of the whole night")
  func limit() async throws {
    let (folder, whole) = try DemoNight.publish()
    let figures = try await SummaryLine.all(in: whole).map(\.figures)
    let accounts = try await whole.rows("Connected accounts")
    let saved = try DemoNight.publishAgain(in: folder, further: "workbook: {maximum_rows: 100}\n")
    let compared = try await saved.compare(with: saved.recalculated(into: folder.path + "/recalculated"))
    #expect(compared.differences.isEmpty && compared.sheets.contains("Totals"), "\(compared.differences.prefix(3))")
    #expect(try await SummaryLine.all(in: saved).map(\.figures) == figures)
    #expect(try await saved.rows("Connected accounts").prefix(30) == accounts.prefix(30))
    for (sheet, file) in [
      ("Entries", "entries.csv"), ("Fund flows", "fund_flows.csv"), ("Orders", "order_matches.csv"),
      ("Fees", "fee_breakdown.csv"),
    ] {
      let rows = try CSVTable(folder.path + "/demo/output/latest/\(file)").rows.count
      let sentence = "The first 100 of \(rows) rows are shown here. \(file) contains all of them."
      #expect(try await saved.rows(sheet).contains { $0[0] == sentence }, "\(sheet)")
      #expect(try await saved.rows("Summary").contains { $0[0] == "\(sheet): \(sentence)" }, "\(sheet)")
    }
  }
}

/// A link into the workbook.
private struct Link {
  /// Where it stands.
  let cell: String
  /// Where it leads, the column counted from 0.
  let sheet: String
  let column: Int
  let row: Int
  /// What it shows.
  let text: String

  static func all(_ formulas: [String: String]) -> [Link] {
    formulas.compactMap { cell, formula in
      guard let match = formula.wholeMatch(of: /=HYPERLINK\("#'?([^'!]+)'?!([A-Z])([0-9]+)","(.*)"\)/) else {
        return nil
      }
      let column = Int(match.2.utf8.first ?? 65) - 65
      return Link(cell: cell, sheet: String(match.1), column: column, row: Int(match.3) ?? 0, text: String(match.4))
    }
  }
}

/// A small demo: every provider, forty planted faults.
enum DemoNight {
  /// - Returns: the folder, which is gone with its last owner, and the workbook in it.
  static func publish(orders: Int = 300) throws -> (folder: TemporaryFolder, workbook: WorkbookFile) {
    let folder = try TemporaryFolder()
    let ended = try CommandRun(
      [
        "demo", "--directory", folder.path + "/demo", "--orders", "\(orders)", "--faults", "40", "--quiet",
        "--resources", NightSite.checkout,
      ])
    #expect(ended.status == 0, "\(ended.errors)")
    return (folder, WorkbookFile(folder.path + "/demo/output/latest/reconciliation.xlsx"))
  }

  /// The same night from the store, its configuration with further lines.
  static func publishAgain(in folder: TemporaryFolder, further: String) throws -> WorkbookFile {
    try folder.write("demo/crossfoot.yml", try folder.read("demo/crossfoot.yml") + further)
    let ended = try CommandRun(
      ["report", "--from", "2026-03-01", "--to", "2026-03-10", "--resources", NightSite.checkout],
      in: folder.path + "/demo")
    #expect(ended.status == 1, "\(ended.errors)")
    return WorkbookFile(folder.path + "/demo/output/latest/reconciliation.xlsx")
  }
}
