import Foundation
import Storage
import TestSupport
import Testing

/// The first sheet of a demo night of every provider: its figures are the sums of the CSV files and what the providers
/// state, to the cent.
@Suite(
  "The workbook ties out", .onItsOwnThread, .enabled(if: WorkbookFile.canBeRead, "\(LibreOffice.missing)"), .serialized)
struct TieOutTests {
  @Test("Every line is the sum of the CSV files")
  func sums() async throws {
    let (folder, saved) = try DemoNight.publish()
    let lines = try await SummaryLine.all(in: saved)
    let files = try Figures(folder.path + "/demo/output/latest")
    #expect(lines.count == 16 && lines.allSatisfy { $0.control == "ties out" }, "\(lines.map(\.control))")
    for line in lines {
      let place = "\(line.provider) \(line.currency)"
      #expect(line.figures == files.ledger(line), "\(place), entries.csv")
      #expect(line.figures[3] == files.fees(line), "\(place), fee_breakdown.csv")
      #expect([line.figures[4], line.figures[5]] == files.connected(line), "\(place), connected_accounts.csv")
      #expect(files.paidOut(line) == files.payouts(line), "\(place), payouts.csv")
    }
  }

  @Test("The balance changes by what the provider states: the accounts of the demo begin with nothing")
  func balances() async throws {
    let (folder, saved) = try DemoNight.publish()
    let lines = try await SummaryLine.all(in: saved)
    let store = try openDatabase(url: "sqlite:\(folder.path)/demo/crossfoot.db", schemas: TestStore.schemas)
    var stated: [String: Int64] = [:]
    try store.query("select provider, currency, amount_minor, withheld_minor from stated_balance", []) { row in
      stated["\(row.text(0) ?? "") \(row.text(1) ?? "")"] = try (row.integer(2) ?? 0) - (row.integer(3) ?? 0)
    }
    #expect(stated.count == 10 && stated.values.contains { $0 < 0 }, "\(stated)")
    for (place, minor) in stated {
      let line = try #require(lines.first { "\($0.provider) \($0.currency)" == place }, "\(place)")
      let digits = ["JPY": 0, "KWD": 3][line.currency] ?? 2
      #expect(
        line.figures[12]
          == Decimal(sign: minor < 0 ? .minus : .plus, exponent: -digits, significand: Decimal(minor.magnitude)),
        "\(place)")
    }
  }

  @Test("The lines of the sheet Fees come to the fees of the first sheet, roundings of settlement days among them")
  func feesInOnePlace() async throws {
    let (folder, saved) = try DemoNight.publish()
    defer { withExtendedLifetime(folder) {} }
    let lines = try await SummaryLine.all(in: saved)
    let sheet = try await saved.rows("Fees")
    let top = try #require(sheet.firstIndex { $0.contains("Fee type") && $0.contains("Rate card") })
    let columns = try ["Provider", "Fee type", "Currency", "Amount"].map { try #require(sheet[top].firstIndex(of: $0)) }
    var sums: [String: Decimal] = [:]
    for row in sheet[(top + 1)...].prefix(while: { row in
      columns.allSatisfy { row.indices.contains($0) && !row[$0].isEmpty }
    })
    where !["application", "platform"].contains(row[columns[1]]) {
      sums["\(row[columns[0]]) \(row[columns[2]])", default: 0] += try #require(Decimal(string: row[columns[3]]))
    }
    for line in lines {
      #expect(sums["\(line.provider) \(line.currency)"] ?? 0 == line.figures[3], "\(line.provider) \(line.currency)")
    }
  }

  @Test("One cell corrupted by hand: its control cell turns red, and no other")
  func corrupted() async throws {
    let (folder, saved) = try DemoNight.publish()
    let entries = try await saved.rows("Entries")
    let column = try #require(entries[0].firstIndex(of: "Platform"))
    let row = try #require(entries.firstIndex { $0[1] == "stripe" && $0[5] == "capture" && $0[8] == "EUR" })
    let amount = try #require(Decimal(string: entries[row][column])) + 1
    let corrupted = try await saved.changing(
      "Entries", "\(Self.letter(column))\(row + 1)", to: "\(amount)", into: folder.path + "/corrupted.xlsx")
    let recalculated = try await corrupted.recalculated(into: folder.path + "/recalculated")
    let lines = try await SummaryLine.all(in: recalculated)
    let red = lines.filter { $0.control != "ties out" }
    #expect(red.map { "\($0.provider) \($0.currency) \($0.control)" } == ["stripe EUR DOES NOT TIE OUT"])
    let line = try #require(red.first)
    #expect(line.figures[12] - line.figures[13] == 1)
    for workbook in [saved, recalculated] {
      #expect(try await workbook.rules("Summary", line.controlCell) == ["notEqual \"ties out\": F9D6D5"])
    }
  }

  @Test("Roll-forward: a cent more in the opening, a movement, the closing or what is stated turns its line red")
  func rollForward() async throws {
    let (folder, saved) = try DemoNight.publish()
    let sheet = try await saved.rows("Roll-forward")
    func column(_ name: String) throws -> Int { try #require(sheet[0].firstIndex(of: name)) }
    let control = try column("Control")
    #expect(
      sheet.dropFirst().filter { $0[try! column("Scope")] == "platform" }.allSatisfy { $0[control] == "ties out" })
    let stated = try sheet.indices.dropFirst().filter { !sheet[$0][try column("Stated closing")].isEmpty }
    try #require(stated.count >= 5)
    var changed = saved
    let names = ["Opening", "Closing", "Stated closing"]
    for (row, name) in zip(stated, names) {
      let amount = try #require(Decimal(string: sheet[row][try column(name)])) + Decimal(1)
      changed = try await changed.changing(
        "Roll-forward", "\(Self.letter(try column(name)))\(row + 1)", to: "\(amount)",
        into: "\(folder.path)/\(row).xlsx")
    }
    let entries = try await saved.rows("Entries")
    let moved = sheet[stated[4]]
    let entry = try #require(
      entries.firstIndex {
        $0[1] == moved[try! column("Provider")] && $0[5] == "fee" && $0[8] == moved[try! column("Currency")]
      })
    let amount = try #require(Decimal(string: entries[entry][9])) + Decimal(1)
    changed = try await changed.changing("Entries", "J\(entry + 1)", to: "\(amount)", into: folder.path + "/cent.xlsx")
    let recalculated = try await changed.recalculated(into: folder.path + "/recalculated").rows("Roll-forward")
    let red = recalculated.indices.dropFirst().filter { recalculated[$0][control] == "DOES NOT TIE OUT" }
    #expect(red == (Array(stated.prefix(names.count)) + [stated[4]]).sorted())
    #expect(
      try await saved.rules("Roll-forward", "\(Self.letter(control))\(red[0] + 1)")
        == ["equal \"DOES NOT TIE OUT\": F9D6D5"])
  }

  private static func letter(_ column: Int) -> String { String(UnicodeScalar(UInt8(65 + column))) }
}

/// Sums over published CSV files.
private struct Figures {
  let tables: [String: [[String: String]]]

  init(_ folder: String) throws {
    let names = ["entries", "fee_breakdown", "connected_accounts", "payouts"]
    tables = try Dictionary(uniqueKeysWithValues: names.map { ($0, try CSVTable("\(folder)/\($0).csv").rows) })
  }

  /// In the order of the sheet, from the entries alone.
  func ledger(_ line: SummaryLine) -> [Decimal] {
    let kept = sum("entries", "platform_amount", line) { !["bank", "other"].contains(Self.counterpart($0)) }
    let paidOut = -sum("entries", "platform_amount", line) { Self.counterpart($0) == "bank" }
    let named = ["fx", "reserve", "adjustment"]
    let others = named.map { kind in
      sum("entries", "platform_amount", line) { Self.counterpart($0) == "other" && $0["kind"] == kind }
    }
    let unclassified = sum("entries", "platform_amount", line) {
      Self.counterpart($0) == "other" && !named.contains($0["kind"] ?? "")
    }
    let fees =
      sum("entries", "amount", line) { $0["to_party"] == "provider" }
      - sum("entries", "amount", line) { $0["from_party"] == "provider" }
    return [
      kinds(["capture", "charge_failure"], line), -kinds(["refund", "refund_failure"], line),
      -kinds(["dispute", "dispute_reversal"], line), fees,
      -kinds(["transfer", "transfer_reversal"], line), kinds(["application_fee", "application_fee_refund"], line), kept,
      paidOut, others[0], others[1], others[2], unclassified,
      kept - paidOut + others.reduce(unclassified, +), sum("entries", "platform_amount", line) { _ in true },
    ]
  }

  /// What the lines of the fees add up to, and what else went to the provider: a day's fees are rounded otherwise than
  /// their rows.
  func fees(_ line: SummaryLine) -> Decimal {
    sum("fee_breakdown", "amount", line) { !["application", "platform"].contains($0["fee_type"] ?? "") }
      + sum("entries", "amount", line) { $0["to_party"] == "provider" && $0["kind"] == "adjustment" }
      - sum("entries", "amount", line) { $0["from_party"] == "provider" && $0["kind"] == "adjustment" }
  }

  /// Transferred and commission.
  func connected(_ line: SummaryLine) -> [Decimal] {
    [("transferred", "transfer_reversed"), ("application_fee", "application_fee_refunded")].map { given, taken in
      sum("connected_accounts", given, line) { _ in true } - sum("connected_accounts", taken, line) { _ in true }
    }
  }

  func paidOut(_ line: SummaryLine) -> Decimal { -kinds(["payout", "payout_reversal"], line) }

  /// Payouts that did not fail.
  func payouts(_ line: SummaryLine) -> Decimal { sum("payouts", "amount", line) { $0["status"] != "failed" } }

  private func kinds(_ kinds: [String], _ line: SummaryLine) -> Decimal {
    sum("entries", "platform_amount", line) { kinds.contains($0["kind"] ?? "") }
  }

  /// The party across from the platform.
  private static func counterpart(_ row: [String: String]) -> String {
    row["to_party"] == "platform"
      ? row["from_party"] ?? "" : row["from_party"] == "platform" ? row["to_party"] ?? "" : "other"
  }

  private func sum(_ table: String, _ column: String, _ line: SummaryLine, _ isIn: ([String: String]) -> Bool)
    -> Decimal
  {
    (tables[table] ?? []).filter { $0["provider"] == line.provider && $0["currency"] == line.currency && isIn($0) }
      .reduce(0) { $0 + (Decimal(string: $1[column] ?? "") ?? 0) }
  }
}
