import Foundation
import JSON
import Landing
import Payments
import Testing

@testable import Providers

/// Balance platform reports, row by row: docs/providers/adyen.md section 2.7.
@Suite struct AdyenPlatformTests {
  /// A folder with reports, pulled and read again.
  private func read(_ files: [String: String]) async throws -> (nouns: PlatformNouns, outcome: StreamOutcome) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("platform-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder + "/reports", withIntermediateDirectories: true)
    for (name, text) in files { try text.write(toFile: "\(folder)/reports/\(name)", atomically: true, encoding: .utf8) }
    var configuration = AdyenConfiguration(name: "adyen", merchantAccount: nil, reports: nil)
    configuration.balancePlatform = "Demo"
    configuration.balancePlatformReportsDirectory = folder + "/reports"
    configuration.liableAccount = "BA-L"
    let adyen = try Adyen(configuration)
    let landing = Landing(directory: folder + "/landing")
    let outcome = await adyen.pull(
      PullOrder(rangeFrom: 1_783_296_000, rangeTo: 1_783_382_400, now: 1_783_386_000), into: landing)
    let nouns = PlatformNouns()
    let reader = adyen.makeReader()
    let parser = JSONParser()
    for manifest in try landing.manifests(asOf: nil) {
      try landing.read(manifest) { bytes, line in
        let origin = Origin(file: 1, line: Int64(line), observedAt: manifest.observedAt, rangeTo: manifest.pull.rangeTo)
        do {
          try parser.parse(bytes) { try reader.read($0, stream: manifest.stream, from: origin, into: nouns) }
        } catch let refused as RefusedRecord { nouns.refused.append(refused) }
      }
    }
    return (nouns, try #require(outcome.streams.first))
  }

  private static let header = """
    balance platform,BALANCE_ACCOUNT,Transfer Id,Transaction Id,Category,Status,Type,Booking date,\
    Booking date TimeZone,Currency,Balance (PC),\
    Psp Payment Psp Reference,Psp Modification Psp Reference,Description,Counterparty Balance Account Id,\
    Platform Payment Interchange,\
    Platform Payment Scheme Fee,Platform Payment Markup,Platform Payment Commission,Counterparty Name

    """

  private static func row(
    _ account: String, _ transaction: String, _ category: String, _ type: String, _ balance: String, psp: String = "",
    mod: String = "",
    words: String = "", other: String = "", costs: String = ",,,", status: String = "booked"
  ) -> String {
    "Demo,\(account),T-\(transaction),\(transaction),\(category),\(status),\(type),2026-07-06 "
      + "10:00:05,CEST,EUR,\(balance),\(psp),\(mod),\(words),\(other),\(costs),Jenny Rosen\n"
  }

  @Test func `every booking's movements come to its net, and the columns name the fee`() async throws {
    let text =
      "\u{feff}" + Self.header.replacingOccurrences(of: "\n", with: "\r\n")
      + Self.row("BA-S", "X1", "platformPayment", "capture", "97", psp: "P1", mod: "C1")
      + Self.row("BA-L", "X2", "platformPayment", "capture", "3.0", psp: "P1", mod: "C1")
      + Self.row(
        "BA-L", "X3", "platformPayment", "capture", "-2.57", psp: "P1", mod: "C1", costs: "-1.50,-0.17,-0.90,0")
      + Self.row("BA-S", "X4", "platformPayment", "capture", "-0.50", psp: "P1", mod: "C1", words: "PaymentFee")
      + Self.row(
        "BA-L", "X5", "platformPayment", "captureReversal", "2.57", psp: "P1", mod: "C1", costs: "1.50,0.17,0.90,")
      + Self.row("BA-L", "X6", "platformPayment", "capture", "-1.00", psp: "P1", mod: "C1", costs: "-0.50,,,")
      + Self.row("BA-L", "X7", "internal", "internalTransfer", "-5", other: "BA-S")
      + Self.row("BA-S", "X8", "internal", "internalTransfer", "5", other: "BA-L")
      + Self.row("BA-S", "X9", "internal", "invoiceDeduction", "-2")
      + Self.row("BA-S", "X10", "grants", "grant", "8")
      + Self.row("BA-L", "X11", "platformPayment", "capture", "0.00", psp: "P1", mod: "C1", status: "cancelled")
    let (nouns, outcome) = try await read(["BalancePlatform_Accounting_Report_2026_07_06.csv": text])
    #expect(outcome.isComplete && nouns.refused.isEmpty)
    for (row, postings) in nouns.rows {
      let net = postings.reduce(Int64(0)) { sum, posting in
        sum + (posting.to == .platform ? posting.amountMinor : 0)
          - (posting.from == .platform ? posting.amountMinor : 0)
      }
      #expect(net == row.netMinor, "\(row.rowID)")
      #expect(row.amountMinor - row.feeMinor == row.netMinor, "\(row.rowID)")
    }
    let byID = Dictionary(uniqueKeysWithValues: nouns.rows.map { ($0.0.rowID, $0) })
    #expect(
      byID.keys.sorted() == ["X1", "X1/customer", "X10", "X2", "X3", "X4", "X4/fee", "X5", "X6", "X7", "X8", "X9"])
    let fees = { (id: String) in
      byID[id]?.1.filter { $0.kind == .fee }.map { "\($0.feeType?.rawValue ?? "") \($0.amountMinor) \($0.to)" } ?? []
    }
    #expect(fees("X3") == ["interchange 150 provider", "scheme 17 provider", "markup 90 provider"])
    #expect(fees("X4/fee") == ["processing 50 provider"])
    #expect(fees("X5") == ["interchange 150 platform", "scheme 17 platform", "markup 90 platform"])
    #expect(fees("X6") == ["interchange 50 provider", "other 50 provider"])
    #expect(byID["X6"].map { $0.0.feeMinor - $0.0.feeSumMinor } == 50)
    #expect(nouns.events.map(\.amountMinor) == [9700, 300] && Set(nouns.events.map(\.eventID)) == ["C1"])
    #expect(byID["X1"]?.0.isEcho == false && byID["X1/customer"]?.0.isEcho == true && byID["X3"]?.0.isEcho == true)
    #expect(byID["X4"]?.0.isEcho == false && byID["X4/fee"]?.0.isEcho == true && byID["X4"]?.0.netMinor == 50)
    #expect(byID["X10"]?.0.isKnownCategory == false && nouns.words.map(\.word) == ["grants/grant"])
  }

  @Test func `a report without what is needed is refused by its name, a bad row by its place`() async throws {
    let good = Self.row("BA-S", "X1", "bank", "bankTransfer", "-5.00")
    let bad = Self.row("BA-S", "X2", "bank", "bankTransfer", "-5.001")
    let (nouns, outcome) = try await read([
      "balanceplatform_accounting_report_2026_07_06.csv": Self.header + good + bad,
      "balanceplatform_accounting_report_2026_07_07.csv": "BalancePlatform,BalanceAccount\nDemo,BA-S\n",
      "balanceplatform_accounting_report_2026_07_08.xlsx": "PK",
      "balanceplatform_fee_report_2026_07.csv": "not read",
    ])
    #expect(nouns.rows.map(\.0.rowID) == ["X1"])
    let places = nouns.refused.map(\.location).sorted()
    #expect(
      places == [
        "balanceplatform_accounting_report_2026_07_06.csv:3", "balanceplatform_accounting_report_2026_07_07.csv",
        "balanceplatform_accounting_report_2026_07_08.xlsx",
      ])
    #expect(
      nouns.refused.contains { $0.reason.contains("transfer_id") || $0.reason.contains("transferid") },
      "\(nouns.refused)")
    #expect(!nouns.refused.contains { $0.reason.contains("Jenny") } && outcome.stream == "platform_reports")
  }
}

/// What a reader gave.
private final class PlatformNouns: RecordSink {
  var rows: [(LedgerRow, [Posting])] = []
  var events: [RecordEvent] = []
  var words: [UnknownWord] = []
  var refused: [RefusedRecord] = []

  func add(_ row: LedgerRow, _ postings: [Posting]) { rows.append((row, postings)) }
  func add(_ event: RecordEvent) { events.append(event) }
  func add(_ word: UnknownWord) { words.append(word) }
  func add(_ payment: Payment) {}
  func add(_ intent: Intent) {}
  func add(_ reference: Reference) {}
  func add(_ refund: Refund) {}
  func add(_ transfer: Transfer) {}
  func add(_ reversal: TransferReversal) {}
  func add(_ fee: ApplicationFee) {}
  func add(_ refund: ApplicationFeeRefund) {}
  func add(_ dispute: Dispute) {}
  func add(_ payout: Payout) {}
  func add(_ line: PayoutLine) {}
  func add(_ step: PayoutStep) {}
  func add(_ balance: StatedBalance) {}
  func add(_ batch: SettlementBatch) {}
  func add(_ batch: AnnouncedBatch) {}
  func add(_ chunk: BatchChunk) {}
  func add(_ value: BatchValue) {}
  func add(_ row: BrokenRow) {}
  func add(_ net: SettledNet) {}
  func add(_ key: Credential) {}
}
