import Foundation
import TestSupport
import Testing

/// The workbook of a demo night of every provider, opened, computed and saved by programs that none of us wrote.
@Suite("The workbook in other programs", .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"), .serialized)
struct SpreadsheetTests {
  @Test("LibreOffice computes every formula to the value that was saved; openpyxl and xmllint read every part")
  func recalculated() async throws {
    let (folder, saved) = try DemoNight.publish()
    let compared = try await saved.compare(with: saved.recalculated(into: folder.path + "/recalculated"))
    #expect(compared.differences.isEmpty, "\(compared.differences.prefix(5))")
    #expect(compared.formulas > 1000 && compared.cells > 20_000, "\(compared.formulas) formulas in \(compared.cells) cells")
    #expect(
      compared.sheets == [
        "Summary", "Discrepancies", "Ageing", "Fund flows", "Fees", "Connected accounts", "Orders", "Payouts", "Entries", "Sources", "Quarantine",
        "Definitions",
      ])
    let (parts, said) = try await saved.lint(in: folder.path + "/parts")
    #expect(said.isEmpty && parts.count > 20, "\(parts.count) parts: \(said)")
    #expect(!parts.contains { $0.contains("vbaProject") || $0.contains("externalLink") })
  }

  @Test("One wrong saved value is found, as that cell and no other, and only when formulas are computed anew")
  func wrongValue() async throws {
    let (folder, saved) = try DemoNight.publish()
    // No link stands in the row: a spreadsheet computes what reads a link's cell in any case.
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
    await #expect(throws: LibreOffice.Refusal.self) { try await damaged.recalculated(into: folder.path + "/recalculated") }
    await #expect(throws: (any Error).self) { try await damaged.rows("Summary") }
  }
}

/// A small demo: every provider, forty planted faults.
enum DemoNight {
  /// - Returns: the folder, which is gone with its last owner, and the workbook in it.
  static func publish(orders: Int = 300) throws -> (folder: TemporaryFolder, workbook: WorkbookFile) {
    let folder = try TemporaryFolder()
    let ended = try CommandRun(
      ["demo", "--directory", folder.path + "/demo", "--orders", "\(orders)", "--faults", "40", "--quiet", "--resources", NightSite.checkout])
    #expect(ended.status == 0, "\(ended.errors)")
    return (folder, WorkbookFile(folder.path + "/demo/output/latest/reconciliation.xlsx"))
  }
}
