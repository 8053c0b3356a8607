import Foundation
import Landing
import Payments
import TestSupport
import Testing

@testable import Providers

@Suite("Cash App's settlement files") struct CashAppFilesTests {
  private static let client = "CAS-CI_TEST"

  private func name(_ kind: String = "settlement_report", batch: String, chunk: Int? = nil, client: String = client)
    -> String
  {
    "20260302_\(kind)_client_\(client)_batch_\(batch)" + (chunk.map { "_chunk_\($0)" } ?? "") + ".csv"
  }

  private func row(_ id: Int, batch: String = "B1") -> String {
    """
    MMI_1,,\(batch),PWC_\(id),O-\(id),,,,CAPTURE,2026-03-02T10:00:00Z,9700,10000,300,100,200,USD,2026-03-02T23:00:00Z

    """
  }

  private let balance =
    """
    category,description,currency,net_amount
    starting_balance,,USD,0
    ending_balance,,USD,0
    payout,,USD,0
    activity,,USD,0

    """

  private func newest(_ night: CashAppNight) throws -> Manifest {
    try #require(try night.landing.manifests(provider: "cashapp", stream: "settlement").last)
  }

  @Test(
    "a name tells kind, client, batch and chunk",
    arguments: [
      (
        "20260302_settlement_report_client_CA-CI_1_batch_B_1_chunk_12.csv", "settlement_report", "CA-CI_1", "B_1",
        Int64(12) as Int64?
      ),
      (
        "copy of 20260302_settlement_report_client_CA-CI_1_batch_B1_chunk_0 (2).csv", "settlement_report", "CA-CI_1",
        "B1", 0
      ),
      ("20260302_balance_summary_report_client_CA-CI_1_batch_B1.csv", "balance_summary_report", "CA-CI_1", "B1", nil),
      ("20260302_dispute_report_client_CA-CI_1_batch_tok-1_chunk_0.csv", "dispute_report", "CA-CI_1", "tok-1", 0),
      ("20260302_activity_summary_report_client_CI_2_batch_B1.csv", "activity_summary_report", "CI_2", "B1", nil),
    ])
  func names(name: String, kind: String, client: String, batch: String, chunk: Int64?) throws {
    let file = try #require(CashAppFile(name, clientID: "CA-CI_1"))
    #expect(file.kind.rawValue == kind && file.clientID == client && file.batchID == batch && file.chunk == chunk)
    #expect(file.day == CivilDate(year: 2026, month: 3, day: 2))
  }

  @Test(
    "other names are none of a settlement file's",
    arguments: [
      "orders.csv", "20260302_settlement_report_client_.csv", "20260302_settlement_report_client_CA_batch_.csv",
    ])
  func otherNames(name: String) {
    #expect(CashAppFile(name, clientID: "CA-CI_1") == nil)
  }

  @Test("20,500 rows come in three files; without the second the batch is held, with it all of it is there")
  func chunks() async throws {
    let night = try await CashAppNight()
    let parts = [1...9999, 10_000...19_998, 19_999...20_500]
    func put(_ chunk: Int) throws {
      try night.put(name(batch: "B1", chunk: chunk), CashAppNight.header + "\n" + parts[chunk].map { row($0) }.joined())
    }
    try put(0)
    try put(2)
    try night.put(name("balance_summary_report", batch: "B1"), balance)
    let held = try #require(try await night.pull(hasKey: false).streams.first)
    #expect(!held.isComplete && held.objects == 9999 + 502 + 4)
    #expect(held.reason?.contains("batch B1: chunk 1 is missing before one that is there") == true)
    #expect(try newest(night).knownUntil == CashAppNight.dayEnd - 3600 - 86_400)
    try put(1)
    let whole = try #require(try await night.pull(hasKey: false).streams.first)
    #expect(whole.isComplete && whole.objects == 9999)
    #expect(try newest(night).knownUntil == CashAppNight.dayEnd - 3600 + 1)
  }

  @Test("two quiet days have like files, and both are there; a batch without its summary is not claimed")
  func quietDays() async throws {
    let night = try await CashAppNight()
    for batch in ["B1", "B2", "B3"] { try night.put(name(batch: batch, chunk: 0), CashAppNight.header + "\n") }
    for batch in ["B1", "B2"] { try night.put(name("balance_summary_report", batch: batch), balance) }
    let outcome = try #require(try await night.pull(hasKey: false).streams.first)
    #expect(outcome.isComplete && outcome.objects == 8)
    #expect(try await night.pull(hasKey: false).streams.first?.objects == 0)
  }

  @Test("a balance summary that lost a row is refused, an encrypted file too, another client's is passed over")
  func refused() async throws {
    let night = try await CashAppNight()
    try night.put(name("balance_summary_report", batch: "B1"), "category,currency,net_amount\nstarting_balance,USD,0\n")
    try night.put(name(batch: "B1", chunk: 0) + ".pgp", "secret")
    try night.put(name(batch: "B1", chunk: 0, client: "CAS-CI_OTHER"), CashAppNight.header + "\n" + row(1))
    try night.put(name("activity_summary_report", batch: "B1"), "count,currency\n1,USD\n")
    #expect(try await night.pull(hasKey: false).streams.first?.isComplete == true)
    #expect(try newest(night).otherAccounts == 1)
    let lines = try night.lines(.settlement)
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("quarantine") })
    #expect(
      lines.contains { $0.contains("the row activity, ending_balance, payout is missing") }
        && lines.contains { $0.contains("encrypted") })
  }

  @Test("after a Friday comes Monday, after a holiday the day behind it, however late in the night a batch closed")
  func calendar() throws {
    func at(_ text: String) throws -> Int64 { try Instant.parse(text) }
    for (closed, next) in [
      ("2026-03-02T23:00:00Z", "2026-03-03T23:00:00Z"), ("2026-03-06T23:00:00Z", "2026-03-09T23:00:00Z"),
      ("2026-03-07T00:20:00Z", "2026-03-10T00:20:00Z"), ("2026-05-22T23:00:00Z", "2026-05-26T23:00:00Z"),
      ("2026-11-25T23:00:00Z", "2026-11-27T23:00:00Z"), ("2026-07-02T23:00:00Z", "2026-07-03T23:00:00Z"),
      ("2027-07-02T23:00:00Z", "2027-07-06T23:00:00Z"), ("2026-12-31T23:00:00Z", "2027-01-04T23:00:00Z"),
    ] {
      try #expect(CashAppCalendar.next(after: at(closed)) == at(next), "\(closed)")
    }
  }
}
