import Foundation
import TestSupport
import Testing

@Suite("Statements at the command line", .onItsOwnThread)
struct StatementCommandTests {
  private func place(_ site: NightSite) -> String { "\(site.folder.path)/output/\(site.range())" }

  @Test(
    "report --statements publishes them with the reports, listed and hashed; a report without it, and a run, has none")
  func published() async throws {
    try await NightSite.serve { site in
      try await site.run().expect(0)
      #expect(!FileManager.default.fileExists(atPath: place(site) + "/statements"))
      let report = try await site.run("report", ["--statements"])
      #expect(report.status == 0, "\(report.errors)")
      let lines = try site.lines("statements.csv").map { $0.components(separatedBy: ",") }
      #expect(!lines.isEmpty)
      var sums: [String: Decimal] = [:]
      for line in lines {
        let rows = try site.lines(line[6]).map { $0.components(separatedBy: ",") }
        #expect(rows.first?.last == line[3] && rows.last?.last == line[4] && rows.count == (Int(line[5]) ?? 0) + 2)
        #expect(FileManager.default.isReadableFile(atPath: "\(place(site))/\(line[8])"))
        sums["\(line[1]) \(line[2])"] = rows.reduce(0) { $0 + (Decimal(string: $1[8]) ?? 0) }
      }
      let accounts = try site.lines("connected_accounts.csv").map { $0.components(separatedBy: ",") }
      for account in accounts {
        #expect(sums["\(account[1]) \(account[2])"] ?? 0 == Decimal(string: account[10]), "\(account)")
      }
      #expect(accounts.count == lines.count)
      #expect(try site.folder.read("output/\(site.range())/run.json").contains("\"statements.csv\""))
      try await site.run("report").expect(0)
      #expect(!FileManager.default.fileExists(atPath: place(site) + "/statements"))
      #expect(!FileManager.default.fileExists(atPath: place(site) + "/statements.csv"))
    }
  }

  @Test(
    "A team's own definition of statements stands beside ours, and a broken one is refused before anything is published"
  )
  func ownDefinition() async throws {
    try await NightSite.serve(orders: 20) { site in
      try await site.run().expect(0)
      let link = site.link()
      for file in ["layout.yml", "query.sql"] {
        let text = try String(contentsOfFile: "\(NightSite.checkout)/reports/statements/\(file)", encoding: .utf8)
        try site.folder.write("our-reports/short_statements/\(file)", text.replacing(", total: true", with: ""))
      }
      try site.configure(further: "reports: [./our-reports]\n")
      let report = try await site.run("report", ["--statements"])
      #expect(report.status == 0, "\(report.errors)")
      #expect(try site.lines("short_statements.csv").count == site.lines("statements.csv").count && site.link() != link)
      #expect(FileManager.default.fileExists(atPath: place(site) + "/short_statements/stripe"))
      let published = site.link()
      let layout = try site.folder.read("our-reports/short_statements/layout.yml")
      try site.folder.write(
        "our-reports/short_statements/layout.yml", layout.replacing("adds: [amount]", with: "adds: [amuont]"))
      let broken = try await site.run("run", ["--no-pull"])
      #expect(
        broken.status == 78 && broken.errors.contains("short_statements/layout.yml:5: statement: no column"),
        "\(broken.errors)")
      #expect(site.link() == published)
    }
  }

  @Test(
    "LibreOffice computes a statement's balances and sums to what was saved; nothing is hidden in it",
    .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"))
  func recalculated() async throws {
    try await NightSite.serve { site in
      try await site.run().expect(0)
      try await site.run("report", ["--statements"]).expect(0)
      let lines = try site.lines("statements.csv").map { $0.components(separatedBy: ",") }
      let longest = try #require(lines.max { (Int($0[5]) ?? 0) < (Int($1[5]) ?? 0) })
      let saved = WorkbookFile("\(place(site))/\(longest[8])")
      let compared = try await saved.compare(with: saved.recalculated(into: site.folder.path + "/recalculated"))
      #expect(compared.differences.isEmpty, "\(compared.differences.prefix(5))")
      // A balance for each movement, the closing, and the sum of the amounts.
      #expect(
        compared.sheets == ["Statement"] && compared.formulas == (Int(longest[5]) ?? 0) + 2,
        "\(compared.formulas) formulas, \(longest)")
      let (parts, said) = try await saved.lint(in: site.folder.path + "/parts")
      #expect(said.isEmpty && parts.filter { $0.contains("worksheets/") }.count == 1, "\(parts): \(said)")
    }
  }
}
